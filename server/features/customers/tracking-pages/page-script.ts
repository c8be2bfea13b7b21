/**
 * Reads the page again while it is in sight, with its entity tag, and replaces the facts where they changed; draws the
 * map where there is one. Inline, so that a page is one request. The style of a page that was fetched has another nonce:
 * parsed with the rest, the browser would report it as refused.
 */
export const pageScript = `(()=>{"use strict";const body=document.body,d=body.dataset;let timer
const page=location.pathname.replace(/\\/times$/,"")+location.search
const facts=()=>document.getElementById("facts")
function showMap(){const map=document.getElementById("map");if(!map)return
map.hidden=false;import("/tracking-page.js").then(m=>m.showPlaces(map,JSON.parse(map.dataset.places))).catch(()=>{map.hidden=true})}
function plan(){clearTimeout(timer);const s=Number(d.refresh);if(s>0)timer=setTimeout(read,s*1000)}
async function read(){if(document.hidden)return plan()
try{const r=await fetch(page,{headers:{accept:"text/html","if-none-match":'"'+d.etag+'"'},cache:"no-store"})
if(r.status===200){const text=(await r.text()).replace(/<style[^]*?<\\/style>/,"")
const next=new DOMParser().parseFromString(text,"text/html"),n=next.body.dataset
const typing=document.activeElement&&document.activeElement.closest("form")
if(n.state!==d.state&&!typing)return location.replace(page)
const map=document.getElementById("map"),fresh=next.getElementById("map")
facts().replaceWith(document.adoptNode(next.getElementById("facts")))
if(map&&fresh){map.dataset.places=fresh.dataset.places;document.getElementById("map").replaceWith(map)}
d.refresh=n.refresh;d.etag=n.etag;showMap()}
else if(r.status===404)return location.replace(page)}catch{}
plan()}
document.addEventListener("visibilitychange",()=>{if(!document.hidden)read()})
const again=document.querySelector("form[data-again]");if(again)setTimeout(()=>again.requestSubmit(),again.dataset.again*1000)
showMap();plan()})()`
