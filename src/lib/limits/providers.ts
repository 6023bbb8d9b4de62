import { MiB } from '../bytes.ts'

/** Limits of prices, secrets and requests to providers. */
export const providerLimits = {
  /** Prices in one request, and length of a model name. */
  pricesPerRequestMax: 1000,
  llmIdCharsMax: 1024,
  /** Models of the shipped prices in one answer, and the number by default. */
  shippedPricesListedMax: 500,
  shippedPricesListedDefault: 50,
  /** Models whose price is cached. */
  knownModelsMax: 10_000,
  /** Provider secrets per data folder, and length of a secret. */
  secretsMax: 10_000,
  secretCharsMax: 16_384,
  /** Models per runtime. */
  runtimeModelsMax: 1000,
  /** Models checked by one request. */
  checkedModelsMax: 64,
  /** Concurrent completions; further ones are answered with 503. */
  completionsMax: 256,
  /** Default and maximum timeout of a provider request; `inputs.timeout` overrides the default. */
  completionTimeoutMs: 600_000,
  completionTimeoutMaxMs: 3_600_000,
  /** Retries of a provider request after a transient failure (429, 5xx, a lost connection). */
  completionRetriesMax: 2,
  /** Size of a provider's response, including all chunks of a stream. */
  completionAnswerBytesMax: 64 * MiB,
  /** Length of a provider's error message. */
  providerMessageCharsMax: 4_000,
  /** Headers of a request or object that are passed to a provider. */
  extraHeadersMax: 64,
} as const
