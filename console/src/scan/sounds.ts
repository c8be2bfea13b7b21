let context: AudioContext | undefined

/** High for a code that is right, low and twice for one that is not. Phones that are silent vibrate. */
export function playVerdict(isRight: boolean): void {
  navigator.vibrate?.(isRight ? 60 : [120, 80, 120])
  try {
    context ??= new AudioContext()
    for (const [frequency, start, length] of isRight
      ? ([[1_320, 0, 0.09]] as const)
      : ([
          [220, 0, 0.14],
          [220, 0.2, 0.14],
        ] as const)) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      tone.frequency.value = frequency
      volume.gain.value = 0.2
      tone.connect(volume).connect(context.destination)
      tone.start(context.currentTime + start)
      tone.stop(context.currentTime + start + length)
    }
  } catch {
    // Without sound the result is still shown.
  }
}
