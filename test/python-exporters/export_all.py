"""Sends spans, log records and metrics with the OTLP exporters over gRPC of OpenTelemetry's Python SDK.

usage: export_all.py ADDRESS KEY PROJECT COUNT
"""

import logging
import sys

from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

address, key, project, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
target = {"endpoint": address, "insecure": True, "headers": {"authorization": f"Bearer {key}", "project_id": project}}

traces = TracerProvider()
traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(compression=None, **target)))
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(**target)))
metrics = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter(**target))])

tracer = traces.get_tracer("python-exporters")
logger = logging.getLogger("python-exporters")
logger.addHandler(LoggingHandler(logger_provider=logs))
logger.setLevel(logging.INFO)
counter = metrics.get_meter("python-exporters").create_counter("answers")

for index in range(count):
    with tracer.start_as_current_span("chat") as span:
        span.set_attribute("gen_ai.request.model", "gpt-4o-mini")
        span.set_attribute("gen_ai.usage.input_tokens", 10)
        logger.info("answered %d", index)
        counter.add(1, {"model": "gpt-4o-mini"})

flushed = [provider.force_flush() for provider in (traces, logs, metrics)]
for provider in (traces, logs, metrics):
    provider.shutdown()
sys.exit(0 if all(flushed) else 1)
