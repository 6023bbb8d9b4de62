import { formatBytes } from '../format/number.ts'
import { contentText } from '../text/content.ts'

/** Images that models take, by media type. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const imageBytesMax = 4_000_000

/** The file as a data URI. @throws {Error} that says what is wrong with it */
export async function imageUrlOf(file: File): Promise<string> {
  if (!imageTypes.includes(file.type)) throw new Error(contentText.noImage(file.name))
  if (file.size > imageBytesMax)
    throw new Error(contentText.tooLarge(file.name, formatBytes(file.size), formatBytes(imageBytesMax)))
  return await dataUriOf(file)
}

/** Content as a data URI. */
export const dataUriOf = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(contentText.unreadable))
    reader.readAsDataURL(content)
  })

/** The images that somebody pastes or drops. */
export const imagesIn = (data: DataTransfer | null): readonly File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
