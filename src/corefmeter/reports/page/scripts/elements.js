// The page of `corefmeter report`: seven views of the data blocks below it. It shows what score, compare
// and analyse returned, and counts only rows that a filter leaves.
//
// Data: #overview-data is one object; #d0, #d1, … are documents, unpacked when first needed. Of a
// document, mentions are numbered in the order of reading.
// A mention's place is [start, end] in tokens, a list of pieces, or a text where positions are unknown.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, if an object is given, and children; `on…` are listeners, `class` and the rest attributes. */
function h(tag, properties, ...children) {
  const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), SVG] : [tag, null];
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  const given = properties?.constructor === Object;
  for (const [key, value] of given ? Object.entries(properties) : []) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...[given || properties, ...children].flat(9).filter((child) => child !== null && child !== undefined && typeof child !== "boolean"));
  return element;
}

const $ = (id) => document.getElementById(id);
const range = (n) => Array.from({ length: n }, (_, i) => i);
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** A fraction in percent with two decimals, ties to even as in all other output; "–" for none. */
function percent(value) {
  if (value === null || value === undefined) return "–";
  const x = 100 * value;
  const tie = Number.isInteger(x * 8) && !Number.isInteger(x * 4);
  if (!tie) return x.toFixed(2);
  const below = Math.floor(x * 100);
  return ((below % 2 === 0 ? below : below + 1) / 100).toFixed(2);
}

/** The name of a feature as a heading. */
const heading = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

async function unpacked(id) {
  const text = $(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
