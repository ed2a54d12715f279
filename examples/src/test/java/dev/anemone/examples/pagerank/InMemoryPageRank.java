// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.values.KV;

/** PageRank by its definition, with arrays. */
final class InMemoryPageRank {

  private InMemoryPageRank() {}

  static Map<String, Double> of(List<KV<String, String>> edges, int iterations, double damping) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (KV<String, String> edge : edges) {
      numbers.putIfAbsent(edge.getKey(), numbers.size());
      numbers.putIfAbsent(edge.getValue(), numbers.size());
    }
    int vertices = numbers.size();
    List<List<Integer>> links = new ArrayList<>();
    for (int i = 0; i < vertices; i++) {
      links.add(new ArrayList<>());
    }
    for (KV<String, String> edge : new LinkedHashSet<>(edges)) {
      links.get(numbers.get(edge.getKey())).add(numbers.get(edge.getValue()));
    }
    double[] ranks = new double[vertices];
    Arrays.fill(ranks, 1.0 / vertices);
    for (int i = 0; i < iterations; i++) {
      ranks = next(ranks, links, damping);
    }
    Map<String, Double> named = new HashMap<>();
    for (Map.Entry<String, Integer> vertex : numbers.entrySet()) {
      named.put(vertex.getKey(), ranks[vertex.getValue()]);
    }
    return named;
  }

  private static double[] next(double[] ranks, List<List<Integer>> links, double damping) {
    double everywhere = 1 - damping;
    for (int vertex = 0; vertex < ranks.length; vertex++) {
      if (links.get(vertex).isEmpty()) {
        everywhere += damping * ranks[vertex];
      }
    }
    double[] next = new double[ranks.length];
    Arrays.fill(next, everywhere / ranks.length);
    for (int vertex = 0; vertex < ranks.length; vertex++) {
      for (int link : links.get(vertex)) {
        next[link] += damping * ranks[vertex] / links.get(vertex).size();
      }
    }
    return next;
  }
}
