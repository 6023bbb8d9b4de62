// Every sentence of the UI, by area. Another language is another file of this shape.
export { liveText } from './live.ts'
export { loginText } from './login.ts'
export { paletteText } from './palette.ts'
export { partsText } from './parts.ts'
export { projectsText } from './projects.ts'
export { accessText, personText, pricesText, serverText, settingsText } from './settings.ts'
export { shellText } from './shell.ts'
export { startText } from './start.ts'
