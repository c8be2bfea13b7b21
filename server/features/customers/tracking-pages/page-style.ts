/** The style of the public pages: one column from 320 px, both themes, either direction. `color` is #rrggbb. */
export function pageStyle(color: string): string {
  return `:root{--brand:${color};--on:${textOn(color)};--bg:#fff;--text:#1c2126;--quiet:#545c64;--line:#d9dee3;--field:#fff;--tint:#f3f5f7}
@media(prefers-color-scheme:dark){:root{--bg:#15181b;--text:#e9ecef;--quiet:#a7b0b8;--line:#363d44;--field:#1d2226;--tint:#20262b}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{background:var(--brand);color:var(--on);padding:12px 16px;display:flex;gap:12px;align-items:center;font-weight:600}
header img{max-height:40px;max-width:120px;border-radius:4px}
main,footer{max-width:560px;margin:0 auto;padding:16px}h1{font-size:1.5rem;line-height:1.25;margin:8px 0}h2{font-size:1.05rem;margin:24px 0 8px}
p{margin:8px 0}.title,.quiet{color:var(--quiet)}.quiet{font-size:.9rem}
dl{margin:16px 0;border-top:1px solid var(--line)}dt{color:var(--quiet);font-size:.9rem;padding-top:10px}dd{margin:0;padding-bottom:10px;border-bottom:1px solid var(--line)}
.eta{font-size:1.15rem}.note{background:var(--tint);border-inline-start:4px solid var(--brand);padding:10px 12px;border-radius:4px}
#map{height:260px;border-radius:8px;overflow:hidden;background:var(--tint);direction:ltr}
.legend{display:none}#map:not([hidden])+p .legend{display:inline}.legend::before{content:"";display:inline-block;width:.7em;height:.7em;margin-inline-end:6px;border-radius:50%;background:#1864ab}.legend.place::before{background:#c92a2a;margin-inline-start:16px}
@media(prefers-color-scheme:dark){#map .maplibregl-ctrl-group{background:var(--field)}#map .maplibregl-ctrl-icon{filter:invert(1)}}
.items{list-style:none;margin:0;padding:0}.items li{display:flex;justify-content:space-between;gap:12px;padding:6px 0;border-bottom:1px solid var(--line)}.items li span:last-child{white-space:nowrap}.sum{font-weight:600}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(120px,1fr));gap:8px}.photos img{width:100%;height:120px;object-fit:cover;border-radius:6px;display:block}.signature{max-width:100%;max-height:160px;background:#fff;border-radius:6px}
form{margin:16px 0}label{display:block;margin:12px 0;font-weight:500}input:not([type=radio]),textarea{display:block;width:100%;margin-top:4px;padding:10px;font:inherit;color:inherit;background:var(--field);border:1px solid var(--quiet);border-radius:6px;text-overflow:ellipsis}
[dir=rtl] :placeholder-shown{direction:rtl}
.button,.link{font:inherit;cursor:pointer}.button{display:block;width:100%;text-align:center;padding:12px;border-radius:6px;border:0;background:var(--brand);color:var(--on);font-weight:600;text-decoration:none;min-height:44px;margin:12px 0}
.plain{background:transparent;color:var(--text);border:1px solid var(--quiet)}.danger{background:#b3261e;color:#fff}.link{background:none;border:0;padding:10px 0;color:var(--text);text-decoration:underline;min-height:44px}
.contacts{display:flex;flex-wrap:wrap;gap:8px 20px}a{color:inherit;min-height:24px}details{margin:16px 0}summary{padding:10px 0;cursor:pointer}
.rating{border:0;margin:0;padding:0;display:flex}.rating input{position:absolute;opacity:0}.rating label{margin:0;font-size:2.4rem;line-height:1.2;color:var(--quiet);cursor:pointer;padding:0 4px}.rating label span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rating input:checked+label,.rating label:has(~input:checked),.stars{color:#c77700}.rating input:focus-visible+label{outline:2px solid var(--brand);outline-offset:2px}.stars{font-size:1.6rem}
footer{border-top:1px solid var(--line);color:var(--quiet)}nav{display:flex;flex-wrap:wrap;gap:4px 16px}nav a,nav span{padding:10px 0}
.choice{display:flex;gap:10px;align-items:flex-start;font-weight:400;margin:0;padding:10px 0;min-height:44px}.choice input{flex:none;width:20px;height:20px;margin:2px 0 0}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`
}

/** Black or white, whichever contrasts more with the colour (WCAG relative luminance). */
export function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(color.slice(place, place + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000" : "#fff"
}
