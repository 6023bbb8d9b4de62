import type { Browser } from 'playwright-core'

/** Turns a PNG into WebP, which is a third of its size. The browser does it. */
export async function toWebP(browser: Browser, png: Buffer, quality = 0.86): Promise<Uint8Array> {
  const page = await browser.newPage()
  try {
    const address = await page.evaluate(`(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${png.toString('base64')}'
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', ${quality})
    })()`)
    const [head, content = ''] = String(address).split(',')
    if (head !== 'data:image/webp;base64') throw new Error(`Write a picture as WebP: the browser gave ${head}`)
    return Buffer.from(content, 'base64')
  } finally {
    await page.close()
  }
}
