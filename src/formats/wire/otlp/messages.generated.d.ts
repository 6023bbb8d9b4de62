/** What `messages.generated.js` exports; `messages.ts` says what the parts look like. */
declare const otlp: unknown

export { otlp }
