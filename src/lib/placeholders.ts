/** How placeholders of a template are written: `{name}`, or `{{name}}`. */
export type PlaceholderFormat = 'braces' | 'mustache'

const patterns = {
  // A doubled brace means a single one. Other braces are text: messages often contain JSON.
  braces: /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g,
  // Other braces are text.
  mustache: /\{\{[^\S\n]*([\p{L}_][\p{L}\p{N}_.-]*)[^\S\n]*\}\}/gu,
} as const

/** Replaces the placeholders of a text. @param replace gets the name and the placeholder itself */
export const replacePlaceholders = (
  text: string,
  format: PlaceholderFormat,
  replace: (name: string, found: string) => string,
): string =>
  text.replaceAll(patterns[format], (found: string, name: string | undefined) =>
    name === undefined ? found.charAt(0) : replace(name, found),
  )
