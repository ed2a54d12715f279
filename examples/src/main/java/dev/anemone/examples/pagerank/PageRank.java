// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.examples.files.InputFiles;
import dev.anemone.examples.files.ShardedOutput;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Keys;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Ranks the vertices of a graph by PageRank (Page, Brin, Motwani and Winograd, 1999). A surfer who
 * is at a vertex follows one of its links with the probability of the damping factor, else goes to
 * any vertex; from a vertex without links always to any. The rank of a vertex is the probability to
 * be there, so ranks sum to 1.
 *
 * <p>The input has one edge a line, {@code from to}: two names without spaces; see {@link
 * ParseEdgeFn}. An edge that is given several times counts once. The result has a line {@code
 * vertex rank} for each vertex, in no particular order, and lies in the files {@code
 * <output>-SSSSS-of-NNNNN}.
 *
 * <p>Every iteration joins the ranks with the links, so what the links are shuffled to is read once
 * for each iteration. The links of one vertex have to fit into memory.
 *
 * <pre>{@code
 * bin/anemone pagerank --input=edges.txt --output=/tmp/ranks
 * bin/anemone pagerank --generate=10000,100000 --output=/tmp/ranks --iterations=20
 * }</pre>
 */
public final class PageRank {

  /** What to rank, how, and where to put the result. */
  public interface Options extends PipelineOptions {
    @Description("Edges, one 'from to' a line: a file or a pattern such as /data/*.txt")
    String getInput();

    void setInput(String input);

    @Description("Instead of an input: VERTICES,EDGES of a random graph")
    String getGenerate();

    void setGenerate(String generate);

    @Description("Which random graph")
    @Default.Long(1)
    long getSeed();

    void setSeed(long seed);

    @Description("Path prefix of the result files; a directory gets files named ranks-...")
    @Validation.Required
    String getOutput();

    void setOutput(String output);

    @Description("How often ranks are handed on along the links")
    @Default.Integer(10)
    int getIterations();

    void setIterations(int iterations);

    @Description("Probability that a link is followed, from 0 to 1")
    @Default.Double(0.85)
    double getDamping();

    void setDamping(double damping);
  }

  private static final String DEFAULT_FILE_NAME = "ranks";

  /** Each iteration is some stages of the job. */
  private static final int MAXIMUM_ITERATIONS = 100;

  private PageRank() {}

  /**
   * Ranks and prints where the result is; a detached job is only started.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or out of range, if no file
   *     matches the input, or if the output cannot be written
   * @throws IOException if the result files cannot be listed
   */
  public static void main(String[] args) throws IOException {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    FileSystems.setDefaultPipelineOptions(options);
    check(options);
    if (options.getInput() != null) {
      InputFiles.require("--input", options.getInput());
    }
    ShardedOutput output =
        ShardedOutput.prepare("--output", options.getOutput(), DEFAULT_FILE_NAME);
    options.setOutput(output.prefix());
    PipelineRuns.writeFiles(pipeline(options), output);
  }

  /**
   * Builds the pipeline and does not run it.
   *
   * @throws IllegalArgumentException if an option is missing or out of range
   */
  public static Pipeline pipeline(Options options) {
    check(options);
    Pipeline pipeline = Pipeline.create(options);
    ranks(edges(pipeline, options), options.getIterations(), options.getDamping())
        .apply("FormatRanks", MapElements.via(new FormatRank()))
        .apply(TextIO.write().to(options.getOutput()));
    return pipeline;
  }

  private static PCollection<KV<String, String>> edges(Pipeline pipeline, Options options) {
    if (options.getGenerate() == null) {
      return pipeline
          .apply(TextIO.read().from(options.getInput()))
          .apply("ParseEdges", ParDo.of(new ParseEdgeFn()));
    }
    RandomGraph graph = RandomGraph.parse(options.getGenerate(), options.getSeed());
    return pipeline
        .apply(GenerateSequence.from(0).to(graph.edges()))
        .apply("RandomEdges", ParDo.of(new RandomEdgeFn(graph)));
  }

  private static PCollection<KV<String, Double>> ranks(
      PCollection<KV<String, String>> edges, int iterations, double damping) {
    PCollection<KV<String, List<String>>> links = edges.apply("Links", new AdjacencyLists());
    PCollection<String> vertices = links.apply("Vertices", Keys.create());
    PCollectionView<Long> count =
        vertices.apply(
            "CountVertices", Combine.globally(Count.<String>combineFn()).asSingletonView());
    PCollection<KV<String, Double>> ranks =
        vertices.apply("FirstRanks", ParDo.of(new FirstRankFn(count)).withSideInputs(count));
    for (int iteration = 1; iteration <= iterations; iteration++) {
      ranks = ranks.apply("Iteration" + iteration, new Iteration(links, count, damping));
    }
    return ranks;
  }

  private static void check(Options options) {
    if ((options.getInput() == null) == (options.getGenerate() == null)) {
      throw new IllegalArgumentException(
          "The graph is to be given once: as --input=FILES with a line 'from to' for each edge, or"
              + " as --generate=VERTICES,EDGES for a random one.");
    }
    if (options.getGenerate() != null) {
      RandomGraph.parse(options.getGenerate(), options.getSeed());
    }
    if (options.getIterations() < 1 || options.getIterations() > MAXIMUM_ITERATIONS) {
      throw new IllegalArgumentException(
          "--iterations="
              + options.getIterations()
              + " is out of range. Give a number from 1 to "
              + MAXIMUM_ITERATIONS
              + ".");
    }
    // Also refuses what is no number.
    if (!(options.getDamping() >= 0 && options.getDamping() <= 1)) {
      throw new IllegalArgumentException(
          "--damping="
              + options.getDamping()
              + " is out of range. Give a probability, a number from 0 to 1; 0.85 is usual.");
    }
  }

  /** Turns a vertex and its rank into a line of the result. */
  private static final class FormatRank extends SimpleFunction<KV<String, Double>, String> {
    private static final long serialVersionUID = 1;

    @Override
    public String apply(KV<String, Double> rank) {
      return rank.getKey() + " " + rank.getValue();
    }
  }
}
