// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import static org.apache.beam.sdk.values.TypeDescriptors.integers;
import static org.apache.beam.sdk.values.TypeDescriptors.kvs;
import static org.apache.beam.sdk.values.TypeDescriptors.rows;
import static org.apache.beam.sdk.values.TypeDescriptors.strings;

import dev.anemone.examples.wordcount.SplitWordsFn;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;

/** A word count that shuffles all words, with a point for a fault on either side of that. */
final class SoakPipeline {

  private static final Schema WORDS =
      Schema.builder().addStringField("word").addStringField("letter").build();
  private static final Schema LETTERS =
      Schema.builder().addStringField("letter").addInt32Field("number").build();

  private static final String QUERY =
      """
      SELECT word, COUNT(*) AS occurrences, MAX(number) AS number
      FROM words LEFT JOIN letters ON words.letter = letters.letter
      GROUP BY word
      """;

  private SoakPipeline() {}

  /** The pipeline, with the fault on one side; writes lines {@code word: count}. */
  static Pipeline of(
      PipelineOptions options,
      SoakForm form,
      String input,
      String output,
      SoakPointFn point,
      boolean onTheLeft) {
    Pipeline pipeline = Pipeline.create(options);
    var words =
        pipeline.apply(TextIO.read().from(input)).apply("Split", ParDo.of(new SplitWordsFn()));
    if (onTheLeft) {
      words = words.apply("Fault", ParDo.of(point));
    }
    PCollection<String> counts =
        switch (form) {
          case ROWS -> countInRows(words);
          case COLUMNS -> countInColumns(words);
        };
    if (!onTheLeft) {
      counts = counts.apply("Fault", ParDo.of(point));
    }
    counts.apply(TextIO.write().to(output).withNoSpilling());
    return pipeline;
  }

  private static PCollection<String> countInRows(PCollection<String> words) {
    return words
        .apply("Pair", MapElements.into(kvs(strings(), integers())).via(word -> KV.of(word, 1)))
        .apply("Group", GroupByKey.create())
        .apply("Count", MapElements.into(strings()).via(SoakPipeline::count));
  }

  /** A join by the first letter, and an aggregate of what was joined: two shuffles of batches. */
  private static PCollection<String> countInColumns(PCollection<String> words) {
    PCollection<Row> rows =
        words
            .apply(
                "Rows",
                MapElements.into(rows())
                    .via(
                        word ->
                            Row.withSchema(WORDS).addValues(word, word.substring(0, 1)).build()))
            .setRowSchema(WORDS);
    PCollection<Row> letters =
        words
            .getPipeline()
            .apply(
                "Letters",
                Create.of(
                        IntStream.rangeClosed('a', 'z')
                            .mapToObj(
                                letter ->
                                    Row.withSchema(LETTERS)
                                        .addValues(Character.toString(letter), letter - 'a')
                                        .build())
                            .toList())
                    .withRowSchema(LETTERS));
    return PCollectionTuple.of("words", rows)
        .and("letters", letters)
        .apply("Query", SqlTransform.query(QUERY))
        .apply(
            "Lines",
            MapElements.into(strings())
                .via(row -> row.getString("word") + ": " + row.getInt64("occurrences")));
  }

  private static String count(KV<String, Iterable<Integer>> word) {
    int count = 0;
    for (int one : word.getValue()) {
      count += one;
    }
    return word.getKey() + ": " + count;
  }

  /**
   * Hands elements on. In the middle of its first bundles on any node it says that the job has
   * begun, by a file, and does what is asked for: fails or sleeps, as often as is asked for in the
   * whole job. All nodes are on one machine.
   */
  static final class SoakPointFn extends DoFn<String, String> {
    private static final long serialVersionUID = 1;

    /** The file that says that the job has begun. */
    static final String BEGUN = "begun";

    private static final int ELEMENT = 100;

    private final String directory;
    private final int failures;
    private final int sleeps;
    private final int sleepSeconds;
    private transient int elements;

    private SoakPointFn(String directory, int failures, int sleeps, int sleepSeconds) {
      this.directory = directory;
      this.failures = failures;
      this.sleeps = sleeps;
      this.sleepSeconds = sleepSeconds;
    }

    /** A point for a fault, with a new directory by which the job's containers agree. */
    static SoakPointFn of(SoakFault fault, Path directory, int sleepSeconds) {
      return new SoakPointFn(
          directory.toString(),
          fault == SoakFault.FAILING_CODE ? 2 : 0,
          fault == SoakFault.SLOW_TASK ? 1 : 0,
          sleepSeconds);
    }

    @StartBundle
    public void startBundle() {
      elements = 0;
    }

    @ProcessElement
    public void processElement(@Element String element, OutputReceiver<String> out)
        throws IOException, InterruptedException {
      out.output(element);
      elements++;
      if (elements == ELEMENT) {
        isFirst(BEGUN);
        for (int i = 0; i < failures; i++) {
          if (isFirst("failed-" + i)) {
            throw new IllegalStateException("injected failure " + i);
          }
        }
        for (int i = 0; i < sleeps; i++) {
          if (isFirst("slept-" + i)) {
            TimeUnit.SECONDS.sleep(sleepSeconds);
          }
        }
      }
    }

    private boolean isFirst(String file) throws IOException {
      try {
        Files.createFile(Path.of(directory, file));
        return true;
      } catch (FileAlreadyExistsException e) {
        return false;
      }
    }
  }
}
