// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell.rows;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.resource.ProcessDirectories;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.util.MimeTypes;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Brings the rows of a small result back to the program that started the pipeline. One task writes
 * them into one file, which appears under its name when it is complete, so that a repeated task
 * does no harm; the program reads the file after the run. That works on any runner, in or out of
 * the program's process, as long as both see the directory.
 *
 * <pre>{@code
 * try (CollectedRows result = CollectedRows.in(directory)) {
 *   result.collect(rows);
 *   PipelineRuns.complete(pipeline);
 *   return result.read();
 * }
 * }</pre>
 *
 * <p>Not thread-safe. {@link #close} deletes the file.
 */
public final class CollectedRows implements AutoCloseable {
  private static final String FILE_NAME = "rows";

  private final ResourceId directory;
  private Schema schema;

  private CollectedRows(ResourceId directory) {
    this.directory = directory;
  }

  /**
   * A collection through a new directory.
   *
   * @param parent where to create it, in any file system of Beam's that the tasks see as well; null
   *     for this machine's directory of temporary files
   * @throws IOException if it cannot be created
   */
  public static CollectedRows in(String parent) throws IOException {
    if (parent == null) {
      String local =
          ProcessDirectories.create(Path.of(System.getProperty("java.io.tmpdir")), "anemone-rows-")
              .toString();
      return new CollectedRows(FileSystems.matchNewResource(local, true));
    }
    ResourceId place = FileSystems.matchNewResource(parent, true);
    return new CollectedRows(
        place.resolve(
            "anemone-rows-" + UUID.randomUUID(), StandardResolveOptions.RESOLVE_DIRECTORY));
  }

  /**
   * Checks that rows come back: on a cluster, those that a task wrote on its own machine would
   * never be found.
   *
   * @throws IllegalArgumentException if they would not
   */
  public static void requireCommonTempLocation(PipelineOptions options) {
    String mode = options.as(NemoPipelineOptions.class).getDeployMode();
    if (mode.equalsIgnoreCase("yarn") && options.getTempLocation() == null) {
      throw new IllegalArgumentException(
          "--deployMode=yarn needs --tempLocation here, through which the rows come back. Give a"
              + " directory that all machines see, such as hdfs://namenode:8020/tmp.");
    }
  }

  /**
   * Adds the steps to the pipeline that write the rows. Windows and timestamps are not kept. To be
   * called once.
   */
  public void collect(PCollection<Row> rows) {
    if (schema != null) {
      throw new IllegalStateException("These rows are collected already.");
    }
    schema = rows.getSchema();
    PCollection<Row> global = rows;
    if (!(rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows)) {
      global = rows.apply("Into one window", Window.into(new GlobalWindows()));
    }
    global
        .apply("Bring together", WithKeys.of((Void) null))
        .setCoder(KvCoder.of(VoidCoder.of(), RowCoder.of(schema)))
        .apply("In one task", GroupByKey.create())
        .apply("Write to a file", ParDo.of(new WriteRowsFn(directory.toString(), schema)));
  }

  /**
   * Reads the rows, in no particular order. To be called after the pipeline has succeeded.
   *
   * @throws IOException if they cannot be read
   */
  public List<Row> read() throws IOException {
    List<Row> rows = new ArrayList<>();
    MatchResult match =
        FileSystems.match(file(directory, FILE_NAME).toString(), EmptyMatchTreatment.ALLOW);
    for (MatchResult.Metadata file : match.metadata()) {
      RowCoder coder = RowCoder.of(schema);
      try (InputStream in =
          new BufferedInputStream(Channels.newInputStream(FileSystems.open(file.resourceId())))) {
        for (int more = in.read(); more != WriteRowsFn.END; more = in.read()) {
          if (more != WriteRowsFn.ROW) {
            throw new IOException("The file of rows " + file.resourceId() + " is cut off.");
          }
          rows.add(coder.decode(in));
        }
      }
    }
    return rows;
  }

  /**
   * Deletes the file and its directory.
   *
   * @throws IOException if they cannot be deleted
   */
  @Override
  public void close() throws IOException {
    MatchResult match =
        FileSystems.match(file(directory, "*").toString(), EmptyMatchTreatment.ALLOW);
    FileSystems.delete(match.metadata().stream().map(MatchResult.Metadata::resourceId).toList());
    FileSystems.delete(List.of(directory), StandardMoveOptions.IGNORE_MISSING_FILES);
  }

  private static ResourceId file(ResourceId directory, String name) {
    return directory.resolve(name, StandardResolveOptions.RESOLVE_FILE);
  }

  /** Writes the rows of the one group. */
  private static final class WriteRowsFn extends DoFn<KV<Void, Iterable<Row>>, Void> {
    private static final long serialVersionUID = 1;
    static final int ROW = 1;
    static final int END = 0;

    private final String directory;
    private final Schema schema;

    WriteRowsFn(String directory, Schema schema) {
      this.directory = directory;
      this.schema = schema;
    }

    @ProcessElement
    public void processElement(@Element KV<Void, Iterable<Row>> group) throws IOException {
      ResourceId place = FileSystems.matchNewResource(directory, true);
      ResourceId unfinished = file(place, FILE_NAME + "." + UUID.randomUUID());
      RowCoder coder = RowCoder.of(schema);
      try (OutputStream out =
          new BufferedOutputStream(
              Channels.newOutputStream(FileSystems.create(unfinished, MimeTypes.BINARY)))) {
        for (Row row : group.getValue()) {
          out.write(ROW);
          coder.encode(row, out);
        }
        out.write(END);
      }
      FileSystems.rename(List.of(unfinished), List.of(file(place, FILE_NAME)));
    }
  }
}
