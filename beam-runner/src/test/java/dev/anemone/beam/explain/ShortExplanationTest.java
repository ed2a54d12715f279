// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.ir.IRDag;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.PolicyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Filter;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortExplanationTest {

  private static final int SLOTS = 4;

  @TempDir Path directory;

  private final PipelineOptions options =
      PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create();
  private final Pipeline pipeline = Pipeline.create(options);

  private OptimizationTrace trace(String policy) {
    IRDag dag = PipelineTranslator.translate(pipeline, options, SLOTS).dag();
    return Optimizer.standard()
        .optimize(
            PolicyRegistry.of(getClass().getClassLoader()).policy(policy),
            dag,
            PassContext.of(SLOTS, 1L << 30, Map.of()));
  }

  private static void assertMatches(String name, String actual) throws IOException {
    Path file = Path.of("src", "test", "resources", "golden", "explain", name);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }

  private void wordCount() throws IOException {
    Path file = Files.writeString(directory.resolve("words.txt"), "a b a\n".repeat(100));
    pipeline
        .apply("Read lines", TextIO.read().from(file.toString()))
        .apply("Words", Filter.by(line -> !line.isEmpty()))
        .apply("Count", Count.perElement())
        .apply("Format", MapElements.into(TypeDescriptors.strings()).via(KV::getKey))
        .apply("Write", TextIO.write().to(directory.resolve("counts").toString()));
  }

  @Test
  void aWordCountIsATreeWithTheDecisionsBelow() throws IOException {
    wordCount();

    assertMatches("word-count.txt", ShortExplanation.of(trace("Default"), 100));
  }

  @Test
  void whatIsReadTwiceIsShownOnce() throws IOException {
    PCollection<KV<String, Integer>> numbers =
        pipeline.apply("Numbers", Create.of(KV.of("a", 1), KV.of("b", 2)));
    PCollection<KV<String, Integer>> others = pipeline.apply("Others", Create.of(KV.of("a", 3)));
    KeyedPCollectionTuple.of(new TupleTag<Integer>("numbers"), numbers)
        .and(new TupleTag<Integer>("others"), others)
        .apply("Join", CoGroupByKey.create());
    numbers.apply("All numbers", View.asList());

    assertMatches("join.txt", ShortExplanation.of(trace("LargeShuffle"), 80));
  }

  @Test
  void aNarrowScreenCutsNamesAndWrapsNotes() throws IOException {
    wordCount();

    List<String> lines = ShortExplanation.of(trace("LargeShuffle"), 60).lines().toList();

    assertThat(lines).allMatch(line -> line.length() < 60).anyMatch(line -> line.contains(".."));
  }
}
