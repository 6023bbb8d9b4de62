import path from 'node:path'

export const joinPath = path.join
export const dirName = path.dirname
export const absolutePath = (file: string): string => path.resolve(file)
