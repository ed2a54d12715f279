// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.testing.LocalPoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;

/**
 * A job that NemoRunner runs here with a memory pool, and its report: texts that two joins have in
 * common are shuffled once and read twice.
 */
final class PooledJob {

  private static final int TEXTS = 500;
  private static final int TEXT_LENGTH = 300;
  private static final long KEYS = 50;
  private static final String SECRET = "of this test";
  private static final TupleTag<String> TEXT = new TupleTag<>("text");
  private static final TupleTag<String> OTHER = new TupleTag<>("other");

  private PooledJob() {}

  /** Runs it with a server of its own. */
  static void run(Path report, String... more) throws IOException {
    Path token = Files.writeString(report.resolveSibling("pool-token"), SECRET);
    AccessToken secret = AccessToken.of(SECRET);
    try (LocalPool pool = LocalPool.start(LocalPoolOptions.of(1, 100).withTokens(secret, secret))) {
      NemoPipelineOptions options =
          PipelineOptionsFactory.fromArgs(
                  Stream.concat(
                          Stream.of(
                              "--jobName=texts",
                              "--slots=1",
                              "--progress=off",
                              "--optimizationPolicy=Disaggregation",
                              "--memoryPool=" + pool.addresses().get(0),
                              "--memoryPoolTransport=tcp",
                              "--memoryPoolTokenFile=" + token),
                          Stream.of(more))
                      .toArray(String[]::new))
              .as(NemoPipelineOptions.class);
      options.setRunner(NemoRunner.class);
      options.setReport(report.toString());
      assertThat(pipeline(options).run().waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);
      assertThat(pool.usedBytes()).isZero();
    }
  }

  private static Pipeline pipeline(NemoPipelineOptions options) {
    Pipeline pipeline = Pipeline.create(options);
    PCollection<KV<Long, String>> texts =
        pipeline
            .apply("Numbers", GenerateSequence.from(0).to(TEXTS))
            .apply("Texts", ParDo.of(new TextFn()));
    for (int join = 1; join <= 2; join++) {
      PCollection<KV<Long, String>> other =
          pipeline.apply("Other " + join, Create.of(KV.of(5L, "join " + join)));
      KeyedPCollectionTuple.of(TEXT, texts)
          .and(OTHER, other)
          .apply("Join " + join, CoGroupByKey.create())
          .apply("Count " + join, ParDo.of(new CountFn()));
    }
    return pipeline;
  }

  private static final class TextFn extends DoFn<Long, KV<Long, String>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<KV<Long, String>> out) {
      // Random letters, of which compression leaves more than half.
      StringBuilder text = new StringBuilder();
      new Random(number).ints(TEXT_LENGTH, 'a', 'z' + 1).forEach(text::appendCodePoint);
      out.output(KV.of(number % KEYS, text.toString()));
    }
  }

  private static final class CountFn extends DoFn<KV<Long, CoGbkResult>, Long> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element KV<Long, CoGbkResult> joined, OutputReceiver<Long> out) {
      long count = 0;
      for (String text : joined.getValue().getAll(TEXT)) {
        count += text.length();
      }
      out.output(count);
    }
  }
}
