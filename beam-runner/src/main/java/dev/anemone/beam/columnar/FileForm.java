// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.NdpEngineMemory;
import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.beam.ndp.TableFormat;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.write.RowFile;
import dev.anemone.ndp.engine.write.WrittenRows;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.util.MimeTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of all batches that a task writes, under a name of its own in a directory that nobody
 * reads; where there are no rows, none. The element is the path of the file.
 *
 * @param table its name, for messages
 * @param givenJson the columns of the batches, as a plan without operators
 * @param wantedJson those of the table
 * @param formatText of the file, see {@link TableFormat}
 * @param directory where it is written
 * @param spec what the engine that makes a file may use
 */
record FileForm(
    String table,
    String givenJson,
    String wantedJson,
    String formatText,
    String directory,
    QuerySpec spec)
    implements BatchForm<String> {

  private static final Logger LOG = LoggerFactory.getLogger(FileForm.class);

  /** Of such rows. */
  static FileForm of(WrittenRows rows, String formatText, String directory, QuerySpec spec) {
    return new FileForm(
        rows.table(), json(rows.given()), json(rows.wanted()), formatText, directory, spec);
  }

  private static String json(RowType row) {
    return PlanTexts.write(new RelationalPlan(row, List.of()));
  }

  @Override
  public long nativeBytes() {
    return new NdpEngineMemory(spec.memoryBytes()).nativeBytes();
  }

  @Override
  public Writer open(ElementReceiver<String> output) {
    return new FileWriter(output);
  }

  /** Writes a file without rows; its path. */
  String empty() throws Exception {
    String[] path = new String[1];
    try (FileWriter writer = new FileWriter(written -> path[0] = written)) {
      writer.create();
      writer.finish();
    }
    return path[0];
  }

  private final class FileWriter implements Writer {

    private final ElementReceiver<String> output;
    private final ResourceId path =
        FileSystems.matchNewResource(directory, true)
            .resolve(UUID.randomUUID().toString(), StandardResolveOptions.RESOLVE_FILE);

    private OutputStream target;
    private RowFile file;

    FileWriter(ElementReceiver<String> output) {
      this.output = output;
    }

    void create() throws IOException {
      target = Channels.newOutputStream(FileSystems.create(path, MimeTypes.BINARY));
      file =
          RowFile.create(
              TableFormat.parse(formatText),
              new WrittenRows(
                  table, PlanTexts.read(givenJson).scan(), PlanTexts.read(wantedJson).scan()),
              target,
              spec.limits());
    }

    @Override
    public void accept(VectorSchemaRoot batch) throws Exception {
      if (batch.getRowCount() == 0) {
        return;
      }
      if (file == null) {
        create();
      }
      file.write(batch);
    }

    @Override
    public void finish() throws Exception {
      if (file == null) {
        return;
      }
      file.finish();
      target.close();
      target = null;
      flushDisk();
      output.accept(path.toString());
    }

    /** Other file systems keep what was closed. */
    private void flushDisk() throws IOException {
      if (path.getScheme().equals("file")) {
        try (FileChannel disk =
            FileChannel.open(Path.of(path.toString()), StandardOpenOption.WRITE)) {
          disk.force(true);
        }
      }
    }

    @Override
    public void close() {
      try (RowFile closed = file) {
        if (target != null) {
          target.close();
          FileSystems.delete(List.of(path), StandardMoveOptions.IGNORE_MISSING_FILES);
          target = null;
        }
      } catch (IOException e) {
        // What failed before is what matters; whoever gives files their names deletes the others.
        LOG.warn("The unfinished file {} could not be cleared away", path, e);
      }
    }
  }
}
