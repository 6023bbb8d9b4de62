/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["tracelake"] || ($protobuf.roots["tracelake"] = {});

export const otlp = $root.otlp = (() => {

    const otlp = {};

    otlp.ExportRequest = (function() {

        const ExportRequest = function (properties) {
            this.resourceSpans = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ExportRequest.prototype.resourceSpans = $util.emptyArray;

        ExportRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resourceSpans != null && message.resourceSpans.length)
                for (let i = 0; i < message.resourceSpans.length; ++i)
                    $root.otlp.ResourceSpans.encode(message.resourceSpans[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ExportRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ExportRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.resourceSpans && message.resourceSpans.length))
                            message.resourceSpans = [];
                        message.resourceSpans.push($root.otlp.ResourceSpans.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ExportRequest;
    })();

    otlp.ResourceSpans = (function() {

        const ResourceSpans = function (properties) {
            this.scopeSpans = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ResourceSpans.prototype.resource = $util.newBuffer([]);
        ResourceSpans.prototype.scopeSpans = $util.emptyArray;
        ResourceSpans.prototype.schemaUrl = "";

        ResourceSpans.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resource != null && $Object.hasOwnProperty.call(message, "resource") && message.resource.length)
                writer.uint32(10).bytes(message.resource);
            if (message.scopeSpans != null && message.scopeSpans.length)
                for (let i = 0; i < message.scopeSpans.length; ++i)
                    $root.otlp.ScopeSpans.encode(message.scopeSpans[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ResourceSpans.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ResourceSpans();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.resource = value;
                        else
                            delete message.resource;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.scopeSpans && message.scopeSpans.length))
                            message.scopeSpans = [];
                        message.scopeSpans.push($root.otlp.ScopeSpans.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ResourceSpans;
    })();

    otlp.ScopeSpans = (function() {

        const ScopeSpans = function (properties) {
            this.spans = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ScopeSpans.prototype.scope = $util.newBuffer([]);
        ScopeSpans.prototype.spans = $util.emptyArray;
        ScopeSpans.prototype.schemaUrl = "";

        ScopeSpans.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.scope != null && $Object.hasOwnProperty.call(message, "scope") && message.scope.length)
                writer.uint32(10).bytes(message.scope);
            if (message.spans != null && message.spans.length)
                for (let i = 0; i < message.spans.length; ++i)
                    writer.uint32(18).bytes(message.spans[i]);
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ScopeSpans.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ScopeSpans();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.scope = value;
                        else
                            delete message.scope;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.spans && message.spans.length))
                            message.spans = [];
                        message.spans.push(reader.bytes());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ScopeSpans;
    })();

    otlp.Resource = (function() {

        const Resource = function (properties) {
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Resource.prototype.attributes = $util.emptyArray;
        Resource.prototype.droppedAttributesCount = 0;

        Resource.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(16).uint32(message.droppedAttributesCount);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Resource.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Resource();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Resource;
    })();

    otlp.Scope = (function() {

        const Scope = function (properties) {
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Scope.prototype.name = "";
        Scope.prototype.version = "";
        Scope.prototype.attributes = $util.emptyArray;
        Scope.prototype.droppedAttributesCount = 0;

        Scope.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== "")
                writer.uint32(18).string(message.version);
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(32).uint32(message.droppedAttributesCount);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Scope.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Scope();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.version = value;
                        else
                            delete message.version;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Scope;
    })();

    otlp.Span = (function() {

        const Span = function (properties) {
            this.attributes = [];
            this.events = [];
            this.links = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Span.prototype.traceId = $util.newBuffer([]);
        Span.prototype.spanId = $util.newBuffer([]);
        Span.prototype.traceState = "";
        Span.prototype.parentSpanId = $util.newBuffer([]);
        Span.prototype.name = "";
        Span.prototype.kind = 0;
        Span.prototype.startTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Span.prototype.endTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Span.prototype.attributes = $util.emptyArray;
        Span.prototype.droppedAttributesCount = 0;
        Span.prototype.events = $util.emptyArray;
        Span.prototype.droppedEventsCount = 0;
        Span.prototype.links = $util.emptyArray;
        Span.prototype.droppedLinksCount = 0;
        Span.prototype.status = null;
        Span.prototype.flags = 0;

        Span.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.traceId != null && $Object.hasOwnProperty.call(message, "traceId") && message.traceId.length)
                writer.uint32(10).bytes(message.traceId);
            if (message.spanId != null && $Object.hasOwnProperty.call(message, "spanId") && message.spanId.length)
                writer.uint32(18).bytes(message.spanId);
            if (message.traceState != null && $Object.hasOwnProperty.call(message, "traceState") && message.traceState !== "")
                writer.uint32(26).string(message.traceState);
            if (message.parentSpanId != null && $Object.hasOwnProperty.call(message, "parentSpanId") && message.parentSpanId.length)
                writer.uint32(34).bytes(message.parentSpanId);
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(42).string(message.name);
            if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                writer.uint32(48).uint32(message.kind);
            if (message.startTimeUnixNano != null && $Object.hasOwnProperty.call(message, "startTimeUnixNano") && (typeof message.startTimeUnixNano === "object" ? message.startTimeUnixNano.low || message.startTimeUnixNano.high : message.startTimeUnixNano !== 0))
                writer.uint32(57).fixed64(message.startTimeUnixNano);
            if (message.endTimeUnixNano != null && $Object.hasOwnProperty.call(message, "endTimeUnixNano") && (typeof message.endTimeUnixNano === "object" ? message.endTimeUnixNano.low || message.endTimeUnixNano.high : message.endTimeUnixNano !== 0))
                writer.uint32(65).fixed64(message.endTimeUnixNano);
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(80).uint32(message.droppedAttributesCount);
            if (message.events != null && message.events.length)
                for (let i = 0; i < message.events.length; ++i)
                    $root.otlp.Event.encode(message.events[i], writer.uint32(90).fork(), _depth + 1).ldelim();
            if (message.droppedEventsCount != null && $Object.hasOwnProperty.call(message, "droppedEventsCount") && message.droppedEventsCount !== 0)
                writer.uint32(96).uint32(message.droppedEventsCount);
            if (message.links != null && message.links.length)
                for (let i = 0; i < message.links.length; ++i)
                    $root.otlp.Link.encode(message.links[i], writer.uint32(106).fork(), _depth + 1).ldelim();
            if (message.droppedLinksCount != null && $Object.hasOwnProperty.call(message, "droppedLinksCount") && message.droppedLinksCount !== 0)
                writer.uint32(112).uint32(message.droppedLinksCount);
            if (message.status != null && $Object.hasOwnProperty.call(message, "status"))
                $root.otlp.Status.encode(message.status, writer.uint32(122).fork(), _depth + 1).ldelim();
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(133).fixed32(message.flags);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Span.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Span();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.traceId = value;
                        else
                            delete message.traceId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.spanId = value;
                        else
                            delete message.spanId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.traceState = value;
                        else
                            delete message.traceState;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.parentSpanId = value;
                        else
                            delete message.parentSpanId;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.kind = value;
                        else
                            delete message.kind;
                        continue;
                    }
                case 7: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.startTimeUnixNano = value;
                        else
                            delete message.startTimeUnixNano;
                        continue;
                    }
                case 8: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.endTimeUnixNano = value;
                        else
                            delete message.endTimeUnixNano;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        if (!(message.events && message.events.length))
                            message.events = [];
                        message.events.push($root.otlp.Event.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 12: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedEventsCount = value;
                        else
                            delete message.droppedEventsCount;
                        continue;
                    }
                case 13: {
                        if (wireType !== 2)
                            break;
                        if (!(message.links && message.links.length))
                            message.links = [];
                        message.links.push($root.otlp.Link.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 14: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedLinksCount = value;
                        else
                            delete message.droppedLinksCount;
                        continue;
                    }
                case 15: {
                        if (wireType !== 2)
                            break;
                        message.status = $root.otlp.Status.decode(reader, reader.size(), $undefined, _depth + 1, message.status);
                        continue;
                    }
                case 16: {
                        if (wireType !== 5)
                            break;
                        if (value = reader.fixed32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Span;
    })();

    otlp.Event = (function() {

        const Event = function (properties) {
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Event.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Event.prototype.name = "";
        Event.prototype.attributes = $util.emptyArray;
        Event.prototype.droppedAttributesCount = 0;

        Event.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(9).fixed64(message.timeUnixNano);
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(18).string(message.name);
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(32).uint32(message.droppedAttributesCount);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Event.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Event();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Event;
    })();

    otlp.Link = (function() {

        const Link = function (properties) {
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Link.prototype.traceId = $util.newBuffer([]);
        Link.prototype.spanId = $util.newBuffer([]);
        Link.prototype.traceState = "";
        Link.prototype.attributes = $util.emptyArray;
        Link.prototype.droppedAttributesCount = 0;
        Link.prototype.flags = 0;

        Link.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.traceId != null && $Object.hasOwnProperty.call(message, "traceId") && message.traceId.length)
                writer.uint32(10).bytes(message.traceId);
            if (message.spanId != null && $Object.hasOwnProperty.call(message, "spanId") && message.spanId.length)
                writer.uint32(18).bytes(message.spanId);
            if (message.traceState != null && $Object.hasOwnProperty.call(message, "traceState") && message.traceState !== "")
                writer.uint32(26).string(message.traceState);
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(40).uint32(message.droppedAttributesCount);
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(53).fixed32(message.flags);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Link.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Link();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.traceId = value;
                        else
                            delete message.traceId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.spanId = value;
                        else
                            delete message.spanId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.traceState = value;
                        else
                            delete message.traceState;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                case 6: {
                        if (wireType !== 5)
                            break;
                        if (value = reader.fixed32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Link;
    })();

    otlp.Status = (function() {

        const Status = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Status.prototype.message = "";
        Status.prototype.code = 0;

        Status.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                writer.uint32(18).string(message.message);
            if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== 0)
                writer.uint32(24).uint32(message.code);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Status.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Status();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.message = value;
                        else
                            delete message.message;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.code = value;
                        else
                            delete message.code;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Status;
    })();

    otlp.LogsRequest = (function() {

        const LogsRequest = function (properties) {
            this.resourceLogs = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LogsRequest.prototype.resourceLogs = $util.emptyArray;

        LogsRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resourceLogs != null && message.resourceLogs.length)
                for (let i = 0; i < message.resourceLogs.length; ++i)
                    $root.otlp.ResourceLogs.encode(message.resourceLogs[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LogsRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.LogsRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.resourceLogs && message.resourceLogs.length))
                            message.resourceLogs = [];
                        message.resourceLogs.push($root.otlp.ResourceLogs.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LogsRequest;
    })();

    otlp.ResourceLogs = (function() {

        const ResourceLogs = function (properties) {
            this.scopeLogs = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ResourceLogs.prototype.resource = $util.newBuffer([]);
        ResourceLogs.prototype.scopeLogs = $util.emptyArray;
        ResourceLogs.prototype.schemaUrl = "";

        ResourceLogs.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resource != null && $Object.hasOwnProperty.call(message, "resource") && message.resource.length)
                writer.uint32(10).bytes(message.resource);
            if (message.scopeLogs != null && message.scopeLogs.length)
                for (let i = 0; i < message.scopeLogs.length; ++i)
                    $root.otlp.ScopeLogs.encode(message.scopeLogs[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ResourceLogs.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ResourceLogs();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.resource = value;
                        else
                            delete message.resource;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.scopeLogs && message.scopeLogs.length))
                            message.scopeLogs = [];
                        message.scopeLogs.push($root.otlp.ScopeLogs.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ResourceLogs;
    })();

    otlp.ScopeLogs = (function() {

        const ScopeLogs = function (properties) {
            this.logRecords = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ScopeLogs.prototype.scope = $util.newBuffer([]);
        ScopeLogs.prototype.logRecords = $util.emptyArray;
        ScopeLogs.prototype.schemaUrl = "";

        ScopeLogs.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.scope != null && $Object.hasOwnProperty.call(message, "scope") && message.scope.length)
                writer.uint32(10).bytes(message.scope);
            if (message.logRecords != null && message.logRecords.length)
                for (let i = 0; i < message.logRecords.length; ++i)
                    writer.uint32(18).bytes(message.logRecords[i]);
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ScopeLogs.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ScopeLogs();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.scope = value;
                        else
                            delete message.scope;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.logRecords && message.logRecords.length))
                            message.logRecords = [];
                        message.logRecords.push(reader.bytes());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ScopeLogs;
    })();

    otlp.LogRecord = (function() {

        const LogRecord = function (properties) {
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LogRecord.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        LogRecord.prototype.severityNumber = 0;
        LogRecord.prototype.severityText = "";
        LogRecord.prototype.body = null;
        LogRecord.prototype.attributes = $util.emptyArray;
        LogRecord.prototype.droppedAttributesCount = 0;
        LogRecord.prototype.flags = 0;
        LogRecord.prototype.traceId = $util.newBuffer([]);
        LogRecord.prototype.spanId = $util.newBuffer([]);
        LogRecord.prototype.observedTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        LogRecord.prototype.eventName = "";

        LogRecord.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(9).fixed64(message.timeUnixNano);
            if (message.severityNumber != null && $Object.hasOwnProperty.call(message, "severityNumber") && message.severityNumber !== 0)
                writer.uint32(16).uint32(message.severityNumber);
            if (message.severityText != null && $Object.hasOwnProperty.call(message, "severityText") && message.severityText !== "")
                writer.uint32(26).string(message.severityText);
            if (message.body != null && $Object.hasOwnProperty.call(message, "body"))
                $root.otlp.AnyValue.encode(message.body, writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.droppedAttributesCount != null && $Object.hasOwnProperty.call(message, "droppedAttributesCount") && message.droppedAttributesCount !== 0)
                writer.uint32(56).uint32(message.droppedAttributesCount);
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(69).fixed32(message.flags);
            if (message.traceId != null && $Object.hasOwnProperty.call(message, "traceId") && message.traceId.length)
                writer.uint32(74).bytes(message.traceId);
            if (message.spanId != null && $Object.hasOwnProperty.call(message, "spanId") && message.spanId.length)
                writer.uint32(82).bytes(message.spanId);
            if (message.observedTimeUnixNano != null && $Object.hasOwnProperty.call(message, "observedTimeUnixNano") && (typeof message.observedTimeUnixNano === "object" ? message.observedTimeUnixNano.low || message.observedTimeUnixNano.high : message.observedTimeUnixNano !== 0))
                writer.uint32(89).fixed64(message.observedTimeUnixNano);
            if (message.eventName != null && $Object.hasOwnProperty.call(message, "eventName") && message.eventName !== "")
                writer.uint32(98).string(message.eventName);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LogRecord.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.LogRecord();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.severityNumber = value;
                        else
                            delete message.severityNumber;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.severityText = value;
                        else
                            delete message.severityText;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        message.body = $root.otlp.AnyValue.decode(reader, reader.size(), $undefined, _depth + 1, message.body);
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.droppedAttributesCount = value;
                        else
                            delete message.droppedAttributesCount;
                        continue;
                    }
                case 8: {
                        if (wireType !== 5)
                            break;
                        if (value = reader.fixed32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.traceId = value;
                        else
                            delete message.traceId;
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.spanId = value;
                        else
                            delete message.spanId;
                        continue;
                    }
                case 11: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.observedTimeUnixNano = value;
                        else
                            delete message.observedTimeUnixNano;
                        continue;
                    }
                case 12: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.eventName = value;
                        else
                            delete message.eventName;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LogRecord;
    })();

    otlp.MetricsRequest = (function() {

        const MetricsRequest = function (properties) {
            this.resourceMetrics = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        MetricsRequest.prototype.resourceMetrics = $util.emptyArray;

        MetricsRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resourceMetrics != null && message.resourceMetrics.length)
                for (let i = 0; i < message.resourceMetrics.length; ++i)
                    $root.otlp.ResourceMetrics.encode(message.resourceMetrics[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        MetricsRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.MetricsRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.resourceMetrics && message.resourceMetrics.length))
                            message.resourceMetrics = [];
                        message.resourceMetrics.push($root.otlp.ResourceMetrics.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return MetricsRequest;
    })();

    otlp.ResourceMetrics = (function() {

        const ResourceMetrics = function (properties) {
            this.scopeMetrics = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ResourceMetrics.prototype.resource = $util.newBuffer([]);
        ResourceMetrics.prototype.scopeMetrics = $util.emptyArray;
        ResourceMetrics.prototype.schemaUrl = "";

        ResourceMetrics.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.resource != null && $Object.hasOwnProperty.call(message, "resource") && message.resource.length)
                writer.uint32(10).bytes(message.resource);
            if (message.scopeMetrics != null && message.scopeMetrics.length)
                for (let i = 0; i < message.scopeMetrics.length; ++i)
                    $root.otlp.ScopeMetrics.encode(message.scopeMetrics[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ResourceMetrics.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ResourceMetrics();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.resource = value;
                        else
                            delete message.resource;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.scopeMetrics && message.scopeMetrics.length))
                            message.scopeMetrics = [];
                        message.scopeMetrics.push($root.otlp.ScopeMetrics.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ResourceMetrics;
    })();

    otlp.ScopeMetrics = (function() {

        const ScopeMetrics = function (properties) {
            this.metrics = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ScopeMetrics.prototype.scope = $util.newBuffer([]);
        ScopeMetrics.prototype.metrics = $util.emptyArray;
        ScopeMetrics.prototype.schemaUrl = "";

        ScopeMetrics.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.scope != null && $Object.hasOwnProperty.call(message, "scope") && message.scope.length)
                writer.uint32(10).bytes(message.scope);
            if (message.metrics != null && message.metrics.length)
                for (let i = 0; i < message.metrics.length; ++i)
                    writer.uint32(18).bytes(message.metrics[i]);
            if (message.schemaUrl != null && $Object.hasOwnProperty.call(message, "schemaUrl") && message.schemaUrl !== "")
                writer.uint32(26).string(message.schemaUrl);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ScopeMetrics.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ScopeMetrics();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.scope = value;
                        else
                            delete message.scope;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.metrics && message.metrics.length))
                            message.metrics = [];
                        message.metrics.push(reader.bytes());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.schemaUrl = value;
                        else
                            delete message.schemaUrl;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ScopeMetrics;
    })();

    otlp.Metric = (function() {

        const Metric = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Metric.prototype.name = "";
        Metric.prototype.description = "";
        Metric.prototype.unit = "";
        Metric.prototype.gauge = null;
        Metric.prototype.sum = null;
        Metric.prototype.histogram = null;
        Metric.prototype.exponentialHistogram = null;
        Metric.prototype.summary = null;

        let $oneOfFields;

        $Object.defineProperty(Metric.prototype, "data", {
            get: $util.oneOfGetter($oneOfFields = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        Metric.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.description != null && $Object.hasOwnProperty.call(message, "description") && message.description !== "")
                writer.uint32(18).string(message.description);
            if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
                writer.uint32(26).string(message.unit);
            if (message.gauge != null && $Object.hasOwnProperty.call(message, "gauge"))
                $root.otlp.NumberPoints.encode(message.gauge, writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.sum != null && $Object.hasOwnProperty.call(message, "sum"))
                $root.otlp.NumberPoints.encode(message.sum, writer.uint32(58).fork(), _depth + 1).ldelim();
            if (message.histogram != null && $Object.hasOwnProperty.call(message, "histogram"))
                $root.otlp.HistogramPoints.encode(message.histogram, writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.exponentialHistogram != null && $Object.hasOwnProperty.call(message, "exponentialHistogram"))
                $root.otlp.ExponentialHistogramPoints.encode(message.exponentialHistogram, writer.uint32(82).fork(), _depth + 1).ldelim();
            if (message.summary != null && $Object.hasOwnProperty.call(message, "summary"))
                $root.otlp.SummaryPoints.encode(message.summary, writer.uint32(90).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Metric.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Metric();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.description = value;
                        else
                            delete message.description;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.unit = value;
                        else
                            delete message.unit;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        message.gauge = $root.otlp.NumberPoints.decode(reader, reader.size(), $undefined, _depth + 1, message.gauge);
                        message.data = "gauge";
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        message.sum = $root.otlp.NumberPoints.decode(reader, reader.size(), $undefined, _depth + 1, message.sum);
                        message.data = "sum";
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.histogram = $root.otlp.HistogramPoints.decode(reader, reader.size(), $undefined, _depth + 1, message.histogram);
                        message.data = "histogram";
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        message.exponentialHistogram = $root.otlp.ExponentialHistogramPoints.decode(reader, reader.size(), $undefined, _depth + 1, message.exponentialHistogram);
                        message.data = "exponentialHistogram";
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        message.summary = $root.otlp.SummaryPoints.decode(reader, reader.size(), $undefined, _depth + 1, message.summary);
                        message.data = "summary";
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Metric;
    })();

    otlp.NumberPoints = (function() {

        const NumberPoints = function (properties) {
            this.dataPoints = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        NumberPoints.prototype.dataPoints = $util.emptyArray;
        NumberPoints.prototype.aggregationTemporality = 0;
        NumberPoints.prototype.isMonotonic = false;

        NumberPoints.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.dataPoints != null && message.dataPoints.length)
                for (let i = 0; i < message.dataPoints.length; ++i)
                    $root.otlp.NumberPoint.encode(message.dataPoints[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.aggregationTemporality != null && $Object.hasOwnProperty.call(message, "aggregationTemporality") && message.aggregationTemporality !== 0)
                writer.uint32(16).uint32(message.aggregationTemporality);
            if (message.isMonotonic != null && $Object.hasOwnProperty.call(message, "isMonotonic") && message.isMonotonic !== false)
                writer.uint32(24).bool(message.isMonotonic);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        NumberPoints.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.NumberPoints();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.dataPoints && message.dataPoints.length))
                            message.dataPoints = [];
                        message.dataPoints.push($root.otlp.NumberPoint.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.aggregationTemporality = value;
                        else
                            delete message.aggregationTemporality;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.isMonotonic = value;
                        else
                            delete message.isMonotonic;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return NumberPoints;
    })();

    otlp.HistogramPoints = (function() {

        const HistogramPoints = function (properties) {
            this.dataPoints = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        HistogramPoints.prototype.dataPoints = $util.emptyArray;
        HistogramPoints.prototype.aggregationTemporality = 0;

        HistogramPoints.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.dataPoints != null && message.dataPoints.length)
                for (let i = 0; i < message.dataPoints.length; ++i)
                    $root.otlp.HistogramPoint.encode(message.dataPoints[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.aggregationTemporality != null && $Object.hasOwnProperty.call(message, "aggregationTemporality") && message.aggregationTemporality !== 0)
                writer.uint32(16).uint32(message.aggregationTemporality);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        HistogramPoints.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.HistogramPoints();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.dataPoints && message.dataPoints.length))
                            message.dataPoints = [];
                        message.dataPoints.push($root.otlp.HistogramPoint.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.aggregationTemporality = value;
                        else
                            delete message.aggregationTemporality;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return HistogramPoints;
    })();

    otlp.ExponentialHistogramPoints = (function() {

        const ExponentialHistogramPoints = function (properties) {
            this.dataPoints = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ExponentialHistogramPoints.prototype.dataPoints = $util.emptyArray;
        ExponentialHistogramPoints.prototype.aggregationTemporality = 0;

        ExponentialHistogramPoints.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.dataPoints != null && message.dataPoints.length)
                for (let i = 0; i < message.dataPoints.length; ++i)
                    $root.otlp.ExponentialHistogramPoint.encode(message.dataPoints[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.aggregationTemporality != null && $Object.hasOwnProperty.call(message, "aggregationTemporality") && message.aggregationTemporality !== 0)
                writer.uint32(16).uint32(message.aggregationTemporality);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ExponentialHistogramPoints.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ExponentialHistogramPoints();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.dataPoints && message.dataPoints.length))
                            message.dataPoints = [];
                        message.dataPoints.push($root.otlp.ExponentialHistogramPoint.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.aggregationTemporality = value;
                        else
                            delete message.aggregationTemporality;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ExponentialHistogramPoints;
    })();

    otlp.SummaryPoints = (function() {

        const SummaryPoints = function (properties) {
            this.dataPoints = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        SummaryPoints.prototype.dataPoints = $util.emptyArray;

        SummaryPoints.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.dataPoints != null && message.dataPoints.length)
                for (let i = 0; i < message.dataPoints.length; ++i)
                    $root.otlp.SummaryPoint.encode(message.dataPoints[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        SummaryPoints.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.SummaryPoints();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.dataPoints && message.dataPoints.length))
                            message.dataPoints = [];
                        message.dataPoints.push($root.otlp.SummaryPoint.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return SummaryPoints;
    })();

    otlp.NumberPoint = (function() {

        const NumberPoint = function (properties) {
            this.exemplars = [];
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        NumberPoint.prototype.startTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        NumberPoint.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        NumberPoint.prototype.asDouble = null;
        NumberPoint.prototype.asInt = null;
        NumberPoint.prototype.exemplars = $util.emptyArray;
        NumberPoint.prototype.attributes = $util.emptyArray;
        NumberPoint.prototype.flags = 0;

        let $oneOfFields;

        $Object.defineProperty(NumberPoint.prototype, "value", {
            get: $util.oneOfGetter($oneOfFields = ["asDouble", "asInt"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        NumberPoint.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.startTimeUnixNano != null && $Object.hasOwnProperty.call(message, "startTimeUnixNano") && (typeof message.startTimeUnixNano === "object" ? message.startTimeUnixNano.low || message.startTimeUnixNano.high : message.startTimeUnixNano !== 0))
                writer.uint32(17).fixed64(message.startTimeUnixNano);
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(25).fixed64(message.timeUnixNano);
            if (message.asDouble != null && $Object.hasOwnProperty.call(message, "asDouble"))
                writer.uint32(33).double(message.asDouble);
            if (message.exemplars != null && message.exemplars.length)
                for (let i = 0; i < message.exemplars.length; ++i)
                    $root.otlp.Exemplar.encode(message.exemplars[i], writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.asInt != null && $Object.hasOwnProperty.call(message, "asInt"))
                writer.uint32(49).sfixed64(message.asInt);
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(58).fork(), _depth + 1).ldelim();
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(64).uint32(message.flags);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        NumberPoint.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.NumberPoint();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.startTimeUnixNano = value;
                        else
                            delete message.startTimeUnixNano;
                        continue;
                    }
                case 3: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 4: {
                        if (wireType !== 1)
                            break;
                        message.asDouble = reader.double();
                        message.value = "asDouble";
                        continue;
                    }
                case 6: {
                        if (wireType !== 1)
                            break;
                        message.asInt = reader.sfixed64();
                        message.value = "asInt";
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (!(message.exemplars && message.exemplars.length))
                            message.exemplars = [];
                        message.exemplars.push($root.otlp.Exemplar.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return NumberPoint;
    })();

    otlp.HistogramPoint = (function() {

        const HistogramPoint = function (properties) {
            this.exemplars = [];
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        HistogramPoint.prototype.startTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        HistogramPoint.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        HistogramPoint.prototype.count = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        HistogramPoint.prototype.sum = null;
        HistogramPoint.prototype.bucketCounts = $util.newBuffer([]);
        HistogramPoint.prototype.explicitBounds = $util.newBuffer([]);
        HistogramPoint.prototype.exemplars = $util.emptyArray;
        HistogramPoint.prototype.attributes = $util.emptyArray;
        HistogramPoint.prototype.flags = 0;
        HistogramPoint.prototype.min = null;
        HistogramPoint.prototype.max = null;

        let $oneOfFields;

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(HistogramPoint.prototype, "_sum", {
            get: $util.oneOfGetter($oneOfFields = ["sum"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(HistogramPoint.prototype, "_min", {
            get: $util.oneOfGetter($oneOfFields = ["min"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(HistogramPoint.prototype, "_max", {
            get: $util.oneOfGetter($oneOfFields = ["max"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        HistogramPoint.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.startTimeUnixNano != null && $Object.hasOwnProperty.call(message, "startTimeUnixNano") && (typeof message.startTimeUnixNano === "object" ? message.startTimeUnixNano.low || message.startTimeUnixNano.high : message.startTimeUnixNano !== 0))
                writer.uint32(17).fixed64(message.startTimeUnixNano);
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(25).fixed64(message.timeUnixNano);
            if (message.count != null && $Object.hasOwnProperty.call(message, "count") && (typeof message.count === "object" ? message.count.low || message.count.high : message.count !== 0))
                writer.uint32(33).fixed64(message.count);
            if (message.sum != null && $Object.hasOwnProperty.call(message, "sum"))
                writer.uint32(41).double(message.sum);
            if (message.bucketCounts != null && $Object.hasOwnProperty.call(message, "bucketCounts") && message.bucketCounts.length)
                writer.uint32(50).bytes(message.bucketCounts);
            if (message.explicitBounds != null && $Object.hasOwnProperty.call(message, "explicitBounds") && message.explicitBounds.length)
                writer.uint32(58).bytes(message.explicitBounds);
            if (message.exemplars != null && message.exemplars.length)
                for (let i = 0; i < message.exemplars.length; ++i)
                    $root.otlp.Exemplar.encode(message.exemplars[i], writer.uint32(66).fork(), _depth + 1).ldelim();
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(80).uint32(message.flags);
            if (message.min != null && $Object.hasOwnProperty.call(message, "min"))
                writer.uint32(89).double(message.min);
            if (message.max != null && $Object.hasOwnProperty.call(message, "max"))
                writer.uint32(97).double(message.max);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        HistogramPoint.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.HistogramPoint();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.startTimeUnixNano = value;
                        else
                            delete message.startTimeUnixNano;
                        continue;
                    }
                case 3: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 4: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.count = value;
                        else
                            delete message.count;
                        continue;
                    }
                case 5: {
                        if (wireType !== 1)
                            break;
                        message.sum = reader.double();
                        message._sum = "sum";
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.bucketCounts = value;
                        else
                            delete message.bucketCounts;
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.explicitBounds = value;
                        else
                            delete message.explicitBounds;
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        if (!(message.exemplars && message.exemplars.length))
                            message.exemplars = [];
                        message.exemplars.push($root.otlp.Exemplar.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                case 11: {
                        if (wireType !== 1)
                            break;
                        message.min = reader.double();
                        message._min = "min";
                        continue;
                    }
                case 12: {
                        if (wireType !== 1)
                            break;
                        message.max = reader.double();
                        message._max = "max";
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return HistogramPoint;
    })();

    otlp.ExponentialHistogramPoint = (function() {

        const ExponentialHistogramPoint = function (properties) {
            this.attributes = [];
            this.exemplars = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ExponentialHistogramPoint.prototype.attributes = $util.emptyArray;
        ExponentialHistogramPoint.prototype.startTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ExponentialHistogramPoint.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ExponentialHistogramPoint.prototype.count = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ExponentialHistogramPoint.prototype.sum = null;
        ExponentialHistogramPoint.prototype.scale = 0;
        ExponentialHistogramPoint.prototype.zeroCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ExponentialHistogramPoint.prototype.positive = null;
        ExponentialHistogramPoint.prototype.negative = null;
        ExponentialHistogramPoint.prototype.flags = 0;
        ExponentialHistogramPoint.prototype.exemplars = $util.emptyArray;
        ExponentialHistogramPoint.prototype.min = null;
        ExponentialHistogramPoint.prototype.max = null;
        ExponentialHistogramPoint.prototype.zeroThreshold = 0;

        let $oneOfFields;

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(ExponentialHistogramPoint.prototype, "_sum", {
            get: $util.oneOfGetter($oneOfFields = ["sum"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(ExponentialHistogramPoint.prototype, "_min", {
            get: $util.oneOfGetter($oneOfFields = ["min"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(ExponentialHistogramPoint.prototype, "_max", {
            get: $util.oneOfGetter($oneOfFields = ["max"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        ExponentialHistogramPoint.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.startTimeUnixNano != null && $Object.hasOwnProperty.call(message, "startTimeUnixNano") && (typeof message.startTimeUnixNano === "object" ? message.startTimeUnixNano.low || message.startTimeUnixNano.high : message.startTimeUnixNano !== 0))
                writer.uint32(17).fixed64(message.startTimeUnixNano);
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(25).fixed64(message.timeUnixNano);
            if (message.count != null && $Object.hasOwnProperty.call(message, "count") && (typeof message.count === "object" ? message.count.low || message.count.high : message.count !== 0))
                writer.uint32(33).fixed64(message.count);
            if (message.sum != null && $Object.hasOwnProperty.call(message, "sum"))
                writer.uint32(41).double(message.sum);
            if (message.scale != null && $Object.hasOwnProperty.call(message, "scale") && message.scale !== 0)
                writer.uint32(48).sint32(message.scale);
            if (message.zeroCount != null && $Object.hasOwnProperty.call(message, "zeroCount") && (typeof message.zeroCount === "object" ? message.zeroCount.low || message.zeroCount.high : message.zeroCount !== 0))
                writer.uint32(57).fixed64(message.zeroCount);
            if (message.positive != null && $Object.hasOwnProperty.call(message, "positive"))
                $root.otlp.ExponentialCounts.encode(message.positive, writer.uint32(66).fork(), _depth + 1).ldelim();
            if (message.negative != null && $Object.hasOwnProperty.call(message, "negative"))
                $root.otlp.ExponentialCounts.encode(message.negative, writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(80).uint32(message.flags);
            if (message.exemplars != null && message.exemplars.length)
                for (let i = 0; i < message.exemplars.length; ++i)
                    $root.otlp.Exemplar.encode(message.exemplars[i], writer.uint32(90).fork(), _depth + 1).ldelim();
            if (message.min != null && $Object.hasOwnProperty.call(message, "min"))
                writer.uint32(97).double(message.min);
            if (message.max != null && $Object.hasOwnProperty.call(message, "max"))
                writer.uint32(105).double(message.max);
            if (message.zeroThreshold != null && $Object.hasOwnProperty.call(message, "zeroThreshold") && !$Object.is(message.zeroThreshold, 0))
                writer.uint32(113).double(message.zeroThreshold);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ExponentialHistogramPoint.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ExponentialHistogramPoint();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.startTimeUnixNano = value;
                        else
                            delete message.startTimeUnixNano;
                        continue;
                    }
                case 3: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 4: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.count = value;
                        else
                            delete message.count;
                        continue;
                    }
                case 5: {
                        if (wireType !== 1)
                            break;
                        message.sum = reader.double();
                        message._sum = "sum";
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.sint32())
                            message.scale = value;
                        else
                            delete message.scale;
                        continue;
                    }
                case 7: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.zeroCount = value;
                        else
                            delete message.zeroCount;
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        message.positive = $root.otlp.ExponentialCounts.decode(reader, reader.size(), $undefined, _depth + 1, message.positive);
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.negative = $root.otlp.ExponentialCounts.decode(reader, reader.size(), $undefined, _depth + 1, message.negative);
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        if (!(message.exemplars && message.exemplars.length))
                            message.exemplars = [];
                        message.exemplars.push($root.otlp.Exemplar.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 12: {
                        if (wireType !== 1)
                            break;
                        message.min = reader.double();
                        message._min = "min";
                        continue;
                    }
                case 13: {
                        if (wireType !== 1)
                            break;
                        message.max = reader.double();
                        message._max = "max";
                        continue;
                    }
                case 14: {
                        if (wireType !== 1)
                            break;
                        if (!$Object.is(value = reader.double(), 0))
                            message.zeroThreshold = value;
                        else
                            delete message.zeroThreshold;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ExponentialHistogramPoint;
    })();

    otlp.ExponentialCounts = (function() {

        const ExponentialCounts = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ExponentialCounts.prototype.offset = 0;
        ExponentialCounts.prototype.bucketCounts = $util.newBuffer([]);

        ExponentialCounts.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && message.offset !== 0)
                writer.uint32(8).sint32(message.offset);
            if (message.bucketCounts != null && $Object.hasOwnProperty.call(message, "bucketCounts") && message.bucketCounts.length)
                writer.uint32(18).bytes(message.bucketCounts);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ExponentialCounts.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ExponentialCounts();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.sint32())
                            message.offset = value;
                        else
                            delete message.offset;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.bucketCounts = value;
                        else
                            delete message.bucketCounts;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ExponentialCounts;
    })();

    otlp.SummaryPoint = (function() {

        const SummaryPoint = function (properties) {
            this.quantileValues = [];
            this.attributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        SummaryPoint.prototype.startTimeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        SummaryPoint.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        SummaryPoint.prototype.count = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        SummaryPoint.prototype.sum = 0;
        SummaryPoint.prototype.quantileValues = $util.emptyArray;
        SummaryPoint.prototype.attributes = $util.emptyArray;
        SummaryPoint.prototype.flags = 0;

        SummaryPoint.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.startTimeUnixNano != null && $Object.hasOwnProperty.call(message, "startTimeUnixNano") && (typeof message.startTimeUnixNano === "object" ? message.startTimeUnixNano.low || message.startTimeUnixNano.high : message.startTimeUnixNano !== 0))
                writer.uint32(17).fixed64(message.startTimeUnixNano);
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(25).fixed64(message.timeUnixNano);
            if (message.count != null && $Object.hasOwnProperty.call(message, "count") && (typeof message.count === "object" ? message.count.low || message.count.high : message.count !== 0))
                writer.uint32(33).fixed64(message.count);
            if (message.sum != null && $Object.hasOwnProperty.call(message, "sum") && !$Object.is(message.sum, 0))
                writer.uint32(41).double(message.sum);
            if (message.quantileValues != null && message.quantileValues.length)
                for (let i = 0; i < message.quantileValues.length; ++i)
                    $root.otlp.QuantileValue.encode(message.quantileValues[i], writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.attributes != null && message.attributes.length)
                for (let i = 0; i < message.attributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.attributes[i], writer.uint32(58).fork(), _depth + 1).ldelim();
            if (message.flags != null && $Object.hasOwnProperty.call(message, "flags") && message.flags !== 0)
                writer.uint32(64).uint32(message.flags);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        SummaryPoint.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.SummaryPoint();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.startTimeUnixNano = value;
                        else
                            delete message.startTimeUnixNano;
                        continue;
                    }
                case 3: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 4: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.count = value;
                        else
                            delete message.count;
                        continue;
                    }
                case 5: {
                        if (wireType !== 1)
                            break;
                        if (!$Object.is(value = reader.double(), 0))
                            message.sum = value;
                        else
                            delete message.sum;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (!(message.quantileValues && message.quantileValues.length))
                            message.quantileValues = [];
                        message.quantileValues.push($root.otlp.QuantileValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (!(message.attributes && message.attributes.length))
                            message.attributes = [];
                        message.attributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.uint32())
                            message.flags = value;
                        else
                            delete message.flags;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return SummaryPoint;
    })();

    otlp.QuantileValue = (function() {

        const QuantileValue = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        QuantileValue.prototype.quantile = 0;
        QuantileValue.prototype.value = 0;

        QuantileValue.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.quantile != null && $Object.hasOwnProperty.call(message, "quantile") && !$Object.is(message.quantile, 0))
                writer.uint32(9).double(message.quantile);
            if (message.value != null && $Object.hasOwnProperty.call(message, "value") && !$Object.is(message.value, 0))
                writer.uint32(17).double(message.value);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        QuantileValue.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.QuantileValue();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 1)
                            break;
                        if (!$Object.is(value = reader.double(), 0))
                            message.quantile = value;
                        else
                            delete message.quantile;
                        continue;
                    }
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (!$Object.is(value = reader.double(), 0))
                            message.value = value;
                        else
                            delete message.value;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return QuantileValue;
    })();

    otlp.Exemplar = (function() {

        const Exemplar = function (properties) {
            this.filteredAttributes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Exemplar.prototype.timeUnixNano = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Exemplar.prototype.asDouble = null;
        Exemplar.prototype.asInt = null;
        Exemplar.prototype.spanId = $util.newBuffer([]);
        Exemplar.prototype.traceId = $util.newBuffer([]);
        Exemplar.prototype.filteredAttributes = $util.emptyArray;

        let $oneOfFields;

        $Object.defineProperty(Exemplar.prototype, "value", {
            get: $util.oneOfGetter($oneOfFields = ["asDouble", "asInt"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        Exemplar.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.timeUnixNano != null && $Object.hasOwnProperty.call(message, "timeUnixNano") && (typeof message.timeUnixNano === "object" ? message.timeUnixNano.low || message.timeUnixNano.high : message.timeUnixNano !== 0))
                writer.uint32(17).fixed64(message.timeUnixNano);
            if (message.asDouble != null && $Object.hasOwnProperty.call(message, "asDouble"))
                writer.uint32(25).double(message.asDouble);
            if (message.spanId != null && $Object.hasOwnProperty.call(message, "spanId") && message.spanId.length)
                writer.uint32(34).bytes(message.spanId);
            if (message.traceId != null && $Object.hasOwnProperty.call(message, "traceId") && message.traceId.length)
                writer.uint32(42).bytes(message.traceId);
            if (message.asInt != null && $Object.hasOwnProperty.call(message, "asInt"))
                writer.uint32(49).sfixed64(message.asInt);
            if (message.filteredAttributes != null && message.filteredAttributes.length)
                for (let i = 0; i < message.filteredAttributes.length; ++i)
                    $root.otlp.KeyValue.encode(message.filteredAttributes[i], writer.uint32(58).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Exemplar.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Exemplar();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 1)
                            break;
                        if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                            message.timeUnixNano = value;
                        else
                            delete message.timeUnixNano;
                        continue;
                    }
                case 3: {
                        if (wireType !== 1)
                            break;
                        message.asDouble = reader.double();
                        message.value = "asDouble";
                        continue;
                    }
                case 6: {
                        if (wireType !== 1)
                            break;
                        message.asInt = reader.sfixed64();
                        message.value = "asInt";
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.spanId = value;
                        else
                            delete message.spanId;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.traceId = value;
                        else
                            delete message.traceId;
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (!(message.filteredAttributes && message.filteredAttributes.length))
                            message.filteredAttributes = [];
                        message.filteredAttributes.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Exemplar;
    })();

    otlp.KeyValue = (function() {

        const KeyValue = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        KeyValue.prototype.key = "";
        KeyValue.prototype.value = null;

        KeyValue.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key !== "")
                writer.uint32(10).string(message.key);
            if (message.value != null && $Object.hasOwnProperty.call(message, "value"))
                $root.otlp.AnyValue.encode(message.value, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        KeyValue.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.KeyValue();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.value = $root.otlp.AnyValue.decode(reader, reader.size(), $undefined, _depth + 1, message.value);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return KeyValue;
    })();

    otlp.AnyValue = (function() {

        const AnyValue = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AnyValue.prototype.stringValue = null;
        AnyValue.prototype.boolValue = null;
        AnyValue.prototype.intValue = null;
        AnyValue.prototype.doubleValue = null;
        AnyValue.prototype.arrayValue = null;
        AnyValue.prototype.kvlistValue = null;
        AnyValue.prototype.bytesValue = null;

        let $oneOfFields;

        $Object.defineProperty(AnyValue.prototype, "value", {
            get: $util.oneOfGetter($oneOfFields = ["stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        AnyValue.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.stringValue != null && $Object.hasOwnProperty.call(message, "stringValue"))
                writer.uint32(10).string(message.stringValue);
            if (message.boolValue != null && $Object.hasOwnProperty.call(message, "boolValue"))
                writer.uint32(16).bool(message.boolValue);
            if (message.intValue != null && $Object.hasOwnProperty.call(message, "intValue"))
                writer.uint32(24).int64(message.intValue);
            if (message.doubleValue != null && $Object.hasOwnProperty.call(message, "doubleValue"))
                writer.uint32(33).double(message.doubleValue);
            if (message.arrayValue != null && $Object.hasOwnProperty.call(message, "arrayValue"))
                $root.otlp.ArrayValue.encode(message.arrayValue, writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.kvlistValue != null && $Object.hasOwnProperty.call(message, "kvlistValue"))
                $root.otlp.KeyValueList.encode(message.kvlistValue, writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.bytesValue != null && $Object.hasOwnProperty.call(message, "bytesValue"))
                writer.uint32(58).bytes(message.bytesValue);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AnyValue.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.AnyValue();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.stringValue = reader.stringVerify();
                        message.value = "stringValue";
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.boolValue = reader.bool();
                        message.value = "boolValue";
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        message.intValue = reader.int64();
                        message.value = "intValue";
                        continue;
                    }
                case 4: {
                        if (wireType !== 1)
                            break;
                        message.doubleValue = reader.double();
                        message.value = "doubleValue";
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        message.arrayValue = $root.otlp.ArrayValue.decode(reader, reader.size(), $undefined, _depth + 1, message.arrayValue);
                        message.value = "arrayValue";
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.kvlistValue = $root.otlp.KeyValueList.decode(reader, reader.size(), $undefined, _depth + 1, message.kvlistValue);
                        message.value = "kvlistValue";
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        message.bytesValue = reader.bytes();
                        message.value = "bytesValue";
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AnyValue;
    })();

    otlp.ArrayValue = (function() {

        const ArrayValue = function (properties) {
            this.values = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ArrayValue.prototype.values = $util.emptyArray;

        ArrayValue.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.values != null && message.values.length)
                for (let i = 0; i < message.values.length; ++i)
                    $root.otlp.AnyValue.encode(message.values[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ArrayValue.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ArrayValue();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.values && message.values.length))
                            message.values = [];
                        message.values.push($root.otlp.AnyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ArrayValue;
    })();

    otlp.KeyValueList = (function() {

        const KeyValueList = function (properties) {
            this.values = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        KeyValueList.prototype.values = $util.emptyArray;

        KeyValueList.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.values != null && message.values.length)
                for (let i = 0; i < message.values.length; ++i)
                    $root.otlp.KeyValue.encode(message.values[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        KeyValueList.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.KeyValueList();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.values && message.values.length))
                            message.values = [];
                        message.values.push($root.otlp.KeyValue.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return KeyValueList;
    })();

    otlp.ExportResponse = (function() {

        const ExportResponse = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ExportResponse.prototype.partialSuccess = null;

        ExportResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.partialSuccess != null && $Object.hasOwnProperty.call(message, "partialSuccess"))
                $root.otlp.PartialSuccess.encode(message.partialSuccess, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ExportResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.ExportResponse();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.partialSuccess = $root.otlp.PartialSuccess.decode(reader, reader.size(), $undefined, _depth + 1, message.partialSuccess);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ExportResponse;
    })();

    otlp.PartialSuccess = (function() {

        const PartialSuccess = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PartialSuccess.prototype.rejectedSpans = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PartialSuccess.prototype.errorMessage = "";

        PartialSuccess.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.rejectedSpans != null && $Object.hasOwnProperty.call(message, "rejectedSpans") && (typeof message.rejectedSpans === "object" ? message.rejectedSpans.low || message.rejectedSpans.high : message.rejectedSpans !== 0))
                writer.uint32(8).int64(message.rejectedSpans);
            if (message.errorMessage != null && $Object.hasOwnProperty.call(message, "errorMessage") && message.errorMessage !== "")
                writer.uint32(18).string(message.errorMessage);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PartialSuccess.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.PartialSuccess();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.rejectedSpans = value;
                        else
                            delete message.rejectedSpans;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.errorMessage = value;
                        else
                            delete message.errorMessage;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PartialSuccess;
    })();

    otlp.Refusal = (function() {

        const Refusal = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Refusal.prototype.code = 0;
        Refusal.prototype.message = "";

        Refusal.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== 0)
                writer.uint32(8).int32(message.code);
            if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                writer.uint32(18).string(message.message);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Refusal.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.otlp.Refusal();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.code = value;
                        else
                            delete message.code;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.message = value;
                        else
                            delete message.message;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Refusal;
    })();

    return otlp;
})();

export {
  $root as default
};
