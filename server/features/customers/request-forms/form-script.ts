/**
 * Finds addresses and times without leaving the page, so that chosen photos stay; sends once. Without a script the same
 * buttons post the form. The style of a page that was fetched has another nonce: parsed with the rest, the browser would
 * report it as refused.
 */
export const formScript = `(()=>{"use strict";const form=document.getElementById("request");let busy=false,tries=0
const partOf=html=>new DOMParser().parseFromString(html.replace(/<style[^]*?<\\/style>/,""),"text/html").getElementById("where")
async function step(value){if(busy)return;busy=true;form.setAttribute("aria-busy","true")
const data=new FormData(form);for(const [k,v] of [...data])if(v instanceof File)data.delete(k)
data.delete("step");data.append("step",value)
try{const r=await fetch(form.action,{method:"POST",body:data});const next=partOf(await r.text())
if(!next)return form.submit();document.getElementById("where").replaceWith(document.adoptNode(next))
const first=next.querySelector(value==="times"?"input[name=slot]":"input[name=place]");if(first)first.focus()
const again=next.querySelector("[data-again]");if(again&&++tries<=3)setTimeout(()=>{if(again.isConnected)step("times")},again.dataset.again*1000);if(!again)tries=0}
catch{location.reload()}finally{busy=false;form.removeAttribute("aria-busy")}}
form.addEventListener("submit",event=>{const b=event.submitter,v=b?b.value:"send"
if(v!=="send"){event.preventDefault();step(v);return}
if(busy){event.preventDefault();return}busy=true})
addEventListener("pageshow",()=>{busy=false})
form.addEventListener("keydown",event=>{if(event.key==="Enter"&&event.target.name==="address"){event.preventDefault();step("place")}})
form.addEventListener("change",event=>{if(event.target.name==="place"&&document.querySelector("button[value=times]"))step("times")})})()`
