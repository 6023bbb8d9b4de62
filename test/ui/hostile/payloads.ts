const run = 'globalThis.hostileRan=1'
const elsewhere = 'https://elsewhere.example'

/** Texts that a browser must show and never act on, by what they try. */
export const payloads: Readonly<Record<string, string>> = {
  script: `<script>${run}</script>`,
  'script that ends another': `</script><script>${run}</script>`,
  'script from elsewhere': `<script src="${elsewhere}/a.js"></script>`,
  'error handler': `<img src="data:," onerror="${run}">`,
  'handler without quotes': `<img src=data:, onerror=${run}>`,
  'handler after a broken tag': `<img src="data:,"${'\n'}onerror="${run}"`,
  'way out of an attribute': `"><svg onload="${run}">`,
  'way out of a quoted attribute': `' autofocus tabindex=0 onfocus='${run}' x='`,
  'way out of a text area': `</textarea></title></style><svg onload="${run}">`,
  'event of details': `<details open ontoggle="${run}">x</details>`,
  'animated SVG': `<svg><animate onbegin="${run}" attributeName="x" dur="1s"></svg>`,
  'link of an SVG': `<svg><a xlink:href="javascript:${run}"><text y="9">x</text></a></svg>`,
  'script link': `<a href="javascript:${run}">x</a>`,
  'script link in disguise': `<a href="jav&#x09;ascript:${run}">x</a>`,
  'script address': `javascript:${run}`,
  'HTML address': `data:text/html,<script>${run}</script>`,
  'Markdown script link': `[x](javascript:${run})`,
  'Markdown link in disguise': `[x](\u0001java\nscript:${run})`,
  'Markdown automatic link': `<javascript:${run}>`,
  'Markdown HTML address': `[x](data:text/html;base64,${btoa(`<script>${run}</script>`)})`,
  'Markdown picture from elsewhere': `![x](${elsewhere}/p.png)`,
  'Markdown picture with a handler': `![x" onerror="${run}](data:,)`,
  'Markdown reference': `![x][1]\n\n[1]: ${elsewhere}/p.png "t"`,
  'Markdown code with a tag': `\`\`\`html"><img src=data:, onerror=${run}>\nx\n\`\`\``,
  'picture from elsewhere': `<img src="${elsewhere}/p.png" srcset="${elsewhere}/q.png 2x">`,
  'player from elsewhere': `<video src="${elsewhere}/v.mp4" poster="${elsewhere}/v.png" autoplay></video>`,
  'style from elsewhere': `<link rel="stylesheet" href="${elsewhere}/a.css"><style>@import "${elsewhere}/b.css"</style>`,
  'style with a picture': `<p style="background:url(${elsewhere}/p.png)">x</p>`,
  'style value': `red;background:url(${elsewhere}/p.png)`,
  frame: `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  'frame of a script': `<iframe src="javascript:parent.${run}"></iframe>`,
  'embedded document': `<object data="data:text/html,<script>parent.${run}</script>"></object><embed src="${elsewhere}">`,
  'page that moves': `<meta http-equiv="refresh" content="0;url=${elsewhere}">`,
  'other base': `<base href="${elsewhere}/">`,
  form: `<form action="${elsewhere}"><button autofocus>x</button></form>`,
  'form that hides a property': `<form><input name="attributes"><input name="parentNode"></form>`,
  'mutation by MathML': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=data:, onerror=${run}&gt;">`,
  'mutation by SVG': `<svg></p><style><a id="</style><img src=data:, onerror=${run}>">`,
  'mutation by noscript': `<noscript><p title="</noscript><img src=data:, onerror=${run}>">`,
  'template of Angular': `{{constructor.constructor('${run}')()}}`,
  'template of JavaScript': `\${${run}}`,
  'custom element': `<x-y is="x-y" slot="z" onclick="${run}">x</x-y>`,
  'name of a prototype': '__proto__',
}

/** A picture that would run a script if it were opened as a page. */
export const scriptedPicture = `data:image/svg+xml;base64,${btoa(
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${run}</script><image href="${elsewhere}/p.png"/></svg>`,
)}`
