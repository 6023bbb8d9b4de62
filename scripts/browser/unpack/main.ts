import chromium from '@sparticuz/chromium'

// Unpacks the browser into the temporary folder, which TMPDIR chooses: hence a process of its own.
await chromium.executablePath()
