// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.translation.PortableTranslation;
import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.util.construction.External;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines of Java whose functions run in SDK harnesses. */
@Tag("slow")
class JavaPipelinesTest {

  private static final String PORTABLE = "--experiments=beam_fn_api";
  private static final Schema WORD = Schema.builder().addStringField("word").build();
  private static final Schema QUERY = Schema.builder().addStringField("query").build();
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path directory;

  /** A class path without the module. */
  private static final class WithoutModule extends ClassLoader {
    WithoutModule(ClassLoader all) {
      super(all);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals("META-INF/services/" + PortableTranslation.class.getName())
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }

  /** Does not like the word b. */
  private static final class Refusing extends DoFn<String, String> {
    @ProcessElement
    public void process(@Element String word, OutputReceiver<String> output) {
      if (word.equals("b")) {
        throw new IllegalStateException("no b please");
      }
      output.output(word);
    }
  }

  /** Goes on when it is told to. */
  private static final class Waiting extends DoFn<String, String> {
    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);

    @ProcessElement
    public void process(@Element String word, OutputReceiver<String> output)
        throws InterruptedException {
      BEGUN.countDown();
      GO_ON.await();
      output.output(word);
    }
  }

  /** Makes other elements each time that it runs. */
  private static final class AddRandom extends DoFn<String, KV<String, String>> {
    @ProcessElement
    public void process(@Element String word, OutputReceiver<KV<String, String>> output) {
      output.output(KV.of(word, UUID.randomUUID().toString()));
    }
  }

  /** Fails in its first bundle, after it has seen what is in it. */
  private static final class FailOnce extends DoFn<KV<String, String>, String> {
    private static final Map<String, Set<String>> SEEN = new ConcurrentHashMap<>();
    private static final AtomicBoolean FAILED = new AtomicBoolean();

    private boolean sawAny;

    @RequiresStableInput
    @ProcessElement
    public void process(@Element KV<String, String> element) {
      sawAny = true;
      SEEN.computeIfAbsent(element.getKey(), key -> ConcurrentHashMap.newKeySet())
          .add(element.getValue());
    }

    @FinishBundle
    public void finish() {
      if (sawAny && FAILED.compareAndSet(false, true)) {
        throw new IllegalStateException("the first attempt fails");
      }
    }
  }

  private static PCollection<String> words(Pipeline pipeline) {
    return pipeline.apply(Create.of("a", "b", "a"));
  }

  /** Counts words by a query that a server of this JVM expands. */
  private static PCollection<Row> counts(Pipeline pipeline, JobServer server) throws IOException {
    Row query =
        Row.withSchema(QUERY)
            .addValue("SELECT word, COUNT(*) AS n FROM PCOLLECTION GROUP BY word")
            .build();
    Row a = Row.withSchema(WORD).addValue("a").build();
    Row b = Row.withSchema(WORD).addValue("b").build();
    return pipeline
        .apply(Create.of(a, b, a).withRowSchema(WORD))
        .apply(
            "counts",
            External.of(
                "beam:external:java:sql:v1",
                HarnessPipelines.payload(query),
                server.expansionEndpoint()));
  }

  private JobServer server() throws IOException {
    return JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")));
  }

  private static <T extends Exception> void withoutModule(Action<T> action) throws T {
    Thread thread = Thread.currentThread();
    ClassLoader all = thread.getContextClassLoader();
    thread.setContextClassLoader(new WithoutModule(all));
    try {
      action.run();
    } finally {
      thread.setContextClassLoader(all);
    }
  }

  private interface Action<T extends Exception> {
    void run() throws T;
  }

  @Test
  void javaTakesThePortableWayIfItIsToldTo() {
    Pipeline pipeline = HarnessPipelines.create(PORTABLE);
    PCollection<KV<String, Long>> counts =
        words(pipeline)
            .apply("to the harness", ParDo.of(new HarnessPipelines.InHarness()))
            .apply(Count.perElement());
    PAssert.that(counts).containsInAnyOrder(List.of(KV.of("a", 2L), KV.of("b", 1L)));

    PipelineResult result = pipeline.run();

    assertThat(result.getState()).isEqualTo(PipelineResult.State.DONE);
    assertThat(HarnessPipelines.counter(result, HarnessPipelines.IN_HARNESS, "to the harness"))
        .hasValue(3L);
  }

  @Test
  void withoutTheModuleTheExperimentChangesNothing() {
    Pipeline pipeline = HarnessPipelines.create(PORTABLE);
    words(pipeline).apply(ParDo.of(new HarnessPipelines.InHarness()));

    withoutModule(
        () -> {
          PipelineResult result = pipeline.run();

          assertThat(result.getState()).isEqualTo(PipelineResult.State.DONE);
          assertThat(HarnessPipelines.counter(result, HarnessPipelines.IN_HARNESS)).isEmpty();
        });
  }

  @Test
  void nothingIsDoneForAPipelineWithoutSteps() {
    assertThat(HarnessPipelines.create(PORTABLE).run().getState())
        .isEqualTo(PipelineResult.State.DONE);
  }

  @Test
  void whatAnExpansionServiceMakesRuns() throws Exception {
    try (JobServer server = server()) {
      Pipeline pipeline = HarnessPipelines.create();
      PCollection<Row> counts = counts(pipeline, server);
      Schema counted = Schema.builder().addStringField("word").addInt64Field("n").build();
      PAssert.that(counts)
          .containsInAnyOrder(
              Row.withSchema(counted).addValues("a", 2L).build(),
              Row.withSchema(counted).addValues("b", 1L).build());

      assertThat(pipeline.run().getState()).isEqualTo(PipelineResult.State.DONE);
    }
  }

  @Test
  void withoutTheModuleItIsRefused() throws Exception {
    try (JobServer server = server()) {
      Pipeline pipeline = HarnessPipelines.create();
      counts(pipeline, server);

      withoutModule(
          () ->
              assertThatThrownBy(pipeline::run)
                  .isInstanceOf(InvalidPipelineException.class)
                  .hasMessageContaining("step 'counts' uses a transform of another language")
                  .hasMessageContaining("anemone-portability")
                  .hasMessageNotContaining("\n"));
    }
  }

  @Test
  void whatUserCodeThrowsIsTheCause() {
    Pipeline pipeline = HarnessPipelines.create(PORTABLE);
    words(pipeline).apply(ParDo.of(new Refusing()));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(PipelineExecutionException.class)
        .cause()
        .hasMessageContaining("IllegalStateException: no b please")
        .hasMessageContaining("JavaPipelinesTest$Refusing.process");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stableInputIsTheSameForASecondAttempt(boolean spread) {
    FailOnce.SEEN.clear();
    FailOnce.FAILED.set(false);
    Pipeline pipeline = HarnessPipelines.create(PORTABLE);
    PCollection<KV<String, String>> random =
        pipeline.apply(Create.of("a", "b", "c", "d")).apply(ParDo.of(new AddRandom()));
    (spread ? random.apply(Reshuffle.viaRandomKey()) : random)
        .apply("stable", ParDo.of(new FailOnce()));

    assertThat(pipeline.run().getState()).isEqualTo(PipelineResult.State.DONE);

    assertThat(FailOnce.FAILED).isTrue();
    assertThat(FailOnce.SEEN.keySet()).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(FailOnce.SEEN.values()).allSatisfy(seen -> assertThat(seen).hasSize(1));
  }

  @Test
  void aJobIsCancelled() throws Exception {
    Pipeline pipeline = HarnessPipelines.create(PORTABLE, "--blockOnRun=false");
    words(pipeline).apply(ParDo.of(new Waiting()));

    PipelineResult result = pipeline.run();

    try {
      assertThat(Waiting.BEGUN.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(result.getState()).isEqualTo(PipelineResult.State.RUNNING);
      assertThat(result.cancel()).isEqualTo(PipelineResult.State.CANCELLED);
      assertThat(result.waitUntilFinish()).isEqualTo(PipelineResult.State.CANCELLED);
    } finally {
      Waiting.GO_ON.countDown();
    }
  }

  @Test
  void aKindOfEnvironmentThatNeedsAServerIsRefused() {
    Pipeline pipeline = HarnessPipelines.create(PORTABLE, "--defaultEnvironmentType=LOOPBACK");
    words(pipeline);

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--defaultEnvironmentType=LOOPBACK")
        .hasMessageContaining("Leave it out");
  }
}
