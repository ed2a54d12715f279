// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.VersionText;
import dev.anemone.examples.terasort.RecordFormat;
import dev.anemone.examples.terasort.TeraGenerator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code anemone teragen}: see {@link TeraGenerator}. */
@Command(
    name = "teragen",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Generates records for terasort, the same as the program gensort does.",
      "Prints the names of the files.",
      ""
    })
final class TeraGenCommand implements Callable<Integer> {
  @Option(
      names = "--records",
      required = true,
      paramLabel = "N",
      description = "Number of records; a record has 100 bytes.")
  private long records;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIRECTORY",
      description = "Where to write the files part-00000 ...; must not hold any yet.")
  private String output;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Number of files (default: as many as make a file not larger than 250 MB).")
  private Integer files;

  @Option(
      names = "--ascii",
      description = "Printable keys, and a line for each record, as gensort -a.")
  private boolean ascii;

  @Override
  public Integer call() throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    RecordFormat format = ascii ? RecordFormat.ASCII : RecordFormat.BINARY;
    int fileCount = files == null ? TeraGenerator.filesFor(records) : files;
    List<String> written = new TeraGenerator(records, fileCount, format).write(output);
    written.forEach(System.out::println);
    return 0;
  }
}
