/** Content as a data URI. @throws if it cannot be read */
export const dataUriOf = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The content could not be read'))
    reader.readAsDataURL(content)
  })
