import { dataUriOf } from '../api/data-uri.ts'
import { formatBytes } from '../format/number.ts'
import { contentText } from '../text/trace/content.ts'
import { contentPartsOf, contentWith, imagePart, textPart } from './content-parts.ts'
import type { PromptMessage } from './prompt.ts'

/** Images that models take, by media type. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const imageBytesMax = 4_000_000

/** The file as a data URI. @throws {Error} that says what is wrong with it */
async function imageUrlOf(file: File): Promise<string> {
  if (!imageTypes.includes(file.type)) throw new Error(contentText.noImage(file.name))
  if (file.size > imageBytesMax)
    throw new Error(contentText.tooLarge(file.name, formatBytes(file.size), formatBytes(imageBytesMax)))
  return await dataUriOf(file)
}

/**
 * A message with images after what it has; one with a text gets parts.
 *
 * @throws {Error} that says what is wrong with an image, or with the JSON of the parts
 */
export async function withImages(message: PromptMessage, files: readonly File[]): Promise<PromptMessage> {
  const images = await Promise.all(files.map(async (file) => imagePart(await imageUrlOf(file))))
  const own = message.isParts ? contentPartsOf(message.text) : message.text === '' ? [] : [textPart(message.text)]
  if (own === undefined) throw new Error(contentText.mendJson)
  return { ...message, isParts: true, text: contentWith([...own, ...images]) }
}
