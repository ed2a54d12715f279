// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;

/** Pipelines of tests, and what they leave. */
final class NemoPipelines {

  private NemoPipelines() {}

  static Pipeline pipeline() {
    return Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
  }

  static void run(Pipeline pipeline) {
    if (pipeline.run().waitUntilFinish() != PipelineResult.State.DONE) {
      throw new IllegalStateException("the pipeline did not end well");
    }
  }

  /** The names of all files below a directory, sorted. */
  static List<String> files(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** The lines of all files whose names begin so, sorted. */
  static List<String> lines(Path directory, String prefix) throws IOException {
    try (Stream<Path> list = Files.list(directory)) {
      return list.filter(file -> file.getFileName().toString().startsWith(prefix))
          .flatMap(NemoPipelines::linesOf)
          .sorted()
          .toList();
    }
  }

  private static Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Passes elements on, and fails at one. */
  static final class FailAtFn extends DoFn<String, String> {

    private static final long serialVersionUID = 1L;

    private final String bad;

    FailAtFn(String bad) {
      this.bad = bad;
    }

    @ProcessElement
    public void pass(@Element String element, OutputReceiver<String> out) {
      if (element.equals(bad)) {
        throw new IllegalStateException("planned failure at " + element);
      }
      out.output(element);
    }
  }
}
