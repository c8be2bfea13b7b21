{{- define "fieldway.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
terminationGracePeriodSeconds: {{ add .root.Values.drainSeconds 20 }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: { app.kubernetes.io/name: fieldway, app.kubernetes.io/component: {{ .role }} }
containers:
  - name: fieldway
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    env:
      - { name: ROLE, value: {{ .role }} }
      - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
      - { name: DRAIN_SECONDS, value: {{ .root.Values.drainSeconds | quote }} }
      {{- if .root.Values.tracker.enabled }}
      - { name: TRACKER_PORTS, value: "{{ range $index, $one := .root.Values.tracker.ports }}{{ if $index }},{{ end }}{{ $one.protocol }}={{ $one.port }}{{ end }}" }
      {{- end }}
      {{- range $name, $value := .root.Values.environment }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    envFrom:
      - secretRef: { name: {{ .root.Values.secretName }} }
    ports:
      - { name: http, containerPort: 8080 }
      {{- if eq .role "tracker" }}
      {{- range .root.Values.tracker.ports }}
      - { name: {{ .protocol }}, containerPort: {{ .port }} }
      {{- if .udp }}
      - { name: {{ .protocol }}-udp, containerPort: {{ .port }}, protocol: UDP }
      {{- end }}
      {{- end }}
      {{- end }}
    startupProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      failureThreshold: 150
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      timeoutSeconds: 3
      failureThreshold: 2
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    resources: {{- toYaml .settings.resources | nindent 6 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: data, mountPath: /data }
volumes:
  - { name: tmp, emptyDir: {} }
  - { name: data, emptyDir: {} }
{{- end -}}
