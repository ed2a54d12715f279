// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Gathers edges by the vertex where they begin: each vertex, those without links too, with the
 * vertices that it links to, sorted and each of them once.
 */
final class AdjacencyLists
    extends PTransform<PCollection<KV<String, String>>, PCollection<KV<String, List<String>>>> {
  private static final long serialVersionUID = 1;

  /** What says that a vertex is there; no name is empty. */
  private static final String NO_LINK = "";

  @Override
  public PCollection<KV<String, List<String>>> expand(PCollection<KV<String, String>> edges) {
    return edges
        .apply("BothEnds", ParDo.of(new BothEndsFn()))
        .apply("GroupByVertex", GroupByKey.create())
        .apply("DistinctLinks", ParDo.of(new DistinctLinksFn()))
        .setCoder(KvCoder.of(StringUtf8Coder.of(), ListCoder.of(StringUtf8Coder.of())));
  }

  /** Hands on an edge, and the vertex at its end, which may have no edge of its own. */
  private static final class BothEndsFn extends DoFn<KV<String, String>, KV<String, String>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<String, String> edge, OutputReceiver<KV<String, String>> out) {
      out.output(edge);
      out.output(KV.of(edge.getValue(), NO_LINK));
    }
  }

  private static final class DistinctLinksFn
      extends DoFn<KV<String, Iterable<String>>, KV<String, List<String>>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<String, Iterable<String>> vertex,
        OutputReceiver<KV<String, List<String>>> out) {
      Set<String> links = new TreeSet<>();
      vertex.getValue().forEach(links::add);
      links.remove(NO_LINK);
      out.output(KV.of(vertex.getKey(), List.copyOf(links)));
    }
  }
}
