import { requestEncoders as encoders } from '../../wire/otlp/messages.ts'
import type { ExportedSpan } from './otlp-span.ts'

/** Encodes spans as one export request in protobuf, grouped by resource and scope. */
export function encodeExport(spans: readonly ExportedSpan[]): Uint8Array<ArrayBuffer> {
  const byResource = Map.groupBy(spans, ({ resourceKey }) => resourceKey)
  const resourceSpans = [...byResource.values()].map((ofResource) => ({
    resource: encoders.Resource.encode(ofResource[0]!.resource).finish(),
    schemaUrl: ofResource[0]!.resourceUrl,
    scopeSpans: [...Map.groupBy(ofResource, ({ scopeKey }) => scopeKey).values()].map((ofScope) => ({
      scope: encoders.Scope.encode(ofScope[0]!.scope).finish(),
      schemaUrl: ofScope[0]!.scopeUrl,
      spans: ofScope.map(({ span }) => encoders.Span.encode(span).finish()),
    })),
  }))
  return encoders.ExportRequest.encode({ resourceSpans }).finish()
}
