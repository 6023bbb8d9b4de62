/** An item of `/call/upsert_batch`. */
export type BatchItem = Readonly<Record<string, unknown>>
