// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything that there is to a vertex or an edge, by name.
 *
 * @param kind what it is, in one lower-case word
 * @param own what its class defines, except its id
 * @param properties its execution properties
 */
record Attributes(String kind, Map<String, Object> own, Map<String, Object> properties) {

  Attributes {
    own = Collections.unmodifiableMap(new LinkedHashMap<>(own));
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }

  static Attributes of(IRVertex vertex) {
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("name", vertex.name());
    vertex.insertedBy().ifPresent(pass -> own.put("pass", pass));
    return new Attributes(kindAndOwn(vertex, own), own, named(vertex.properties()));
  }

  /** Adds what the vertex's class defines; returns its kind. */
  private static String kindAndOwn(IRVertex vertex, Map<String, Object> own) {
    if (vertex instanceof SourceVertex source) {
      own.put("source", source.source());
      own.put("parts", source.parts());
      if (!source.pushed().isEmpty()) {
        own.put("pushed", source.pushed());
      }
      return "source";
    }
    if (vertex instanceof OperatorVertex operator) {
      own.put("operator", operator.operator());
      operator.combine().ifPresent(split -> own.put("combine", split));
      if (!operator.traits().isEmpty()) {
        own.put("traits", operator.traits());
      }
      return "operator";
    }
    if (vertex instanceof CombinerVertex combiner) {
      own.put("operator", combiner.operator());
      return "combiner";
    }
    if (vertex instanceof SampledVertex sampled) {
      own.put("original", sampled.original());
      own.put("sample", sampled.sample());
      return "sampled";
    }
    if (vertex instanceof MetricCollectionVertex collection) {
      own.put("message", collection.messageId());
      own.put("measured", collection.measured());
      return "collection";
    }
    if (vertex instanceof MetricAggregationVertex aggregation) {
      own.put("message", aggregation.messageId());
      return "aggregation";
    }
    if (vertex instanceof RelayVertex) {
      return "relay";
    }
    throw new IllegalStateException("no print of a " + vertex.getClass().getSimpleName());
  }

  static Attributes of(IREdge edge) {
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("from", edge.from());
    own.put("output", edge.output());
    own.put("to", edge.to());
    own.put("input", edge.input());
    own.put("pattern", edge.pattern());
    own.put("coder", edge.elementCoder());
    return new Attributes(
        "edge", own, named(edge.properties().without(CommunicationPattern.class)));
  }

  private static Map<String, Object> named(ExecutionProperties<?> properties) {
    Map<String, Object> named = new LinkedHashMap<>();
    properties.asMap().forEach((type, value) -> named.put(type.getSimpleName(), value));
    return named;
  }

  /** Own attributes and properties together. */
  Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>(own);
    all.put("kind", kind);
    all.putAll(properties);
    return all;
  }
}
