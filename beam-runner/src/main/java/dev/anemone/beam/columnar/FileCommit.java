// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the files that tasks have written their names, in one task, when all of them are whole; the
 * way of Hadoop's committers and of Beam's {@code WriteFiles}, whose names these are. Its output
 * has no rows.
 */
final class FileCommit extends PTransform<PCollection<String>, PCollection<Row>> {

  private static final long serialVersionUID = 1;

  /** Stands for no file, so that the task runs in any case. */
  private static final String NOTHING = "";

  private final FileForm form;
  private final FileTarget target;
  private final Schema schema;

  /**
   * A commit.
   *
   * @param form that wrote the files
   * @param schema of the output
   */
  FileCommit(FileForm form, FileTarget target, Schema schema) {
    this.form = form;
    this.target = target;
    this.schema = schema;
  }

  @Override
  public PCollection<Row> expand(PCollection<String> files) {
    PCollection<String> any =
        files
            .getPipeline()
            .apply("In any case", Create.of(NOTHING).withCoder(StringUtf8Coder.of()));
    return PCollectionList.of(files)
        .and(any)
        .apply("Files", Flatten.pCollections())
        .apply("Together", WithKeys.of((Void) null))
        .setCoder(KvCoder.of(VoidCoder.of(), StringUtf8Coder.of()))
        .apply("All files", GroupByKey.create())
        .apply("Names", ParDo.of(new NamesFn(form, target)))
        .setRowSchema(schema);
  }

  private static final class NamesFn extends DoFn<KV<Void, Iterable<String>>, Row> {

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(NamesFn.class);

    private final FileForm form;
    private final FileTarget target;

    NamesFn(FileForm form, FileTarget target) {
      this.form = form;
      this.target = target;
    }

    /** A former attempt may have moved some files, of which the numbers must be the same. */
    @RequiresStableInput
    @ProcessElement
    public void processElement(@Element KV<Void, Iterable<String>> all) throws Exception {
      List<String> written = new ArrayList<>();
      all.getValue().forEach(written::add);
      written.removeIf(NOTHING::equals);
      written.sort(null);
      if (written.isEmpty() && target.ofNothing()) {
        written.add(form.empty());
      }
      List<ResourceId> from = new ArrayList<>();
      List<ResourceId> to = new ArrayList<>();
      for (int i = 0; i < written.size(); i++) {
        from.add(FileSystems.matchNewResource(written.get(i), false));
        to.add(target.file(i, written.size()));
      }
      FileSystems.rename(
          from,
          to,
          StandardMoveOptions.IGNORE_MISSING_FILES,
          StandardMoveOptions.SKIP_IF_DESTINATION_EXISTS);
      requireAll(to);
      clearAway();
    }

    private void requireAll(List<ResourceId> files) throws IOException {
      for (ResourceId file : files) {
        if (FileSystems.match(file.toString(), EmptyMatchTreatment.ALLOW).metadata().isEmpty()) {
          throw new IOException(
              "the file "
                  + file
                  + " of table "
                  + form.table()
                  + " was written to "
                  + form.directory()
                  + " and is gone; somebody else has deleted it");
        }
      }
    }

    /** Files of attempts that were killed or came second. */
    private void clearAway() {
      ResourceId directory = FileSystems.matchNewResource(form.directory(), true);
      try {
        List<ResourceId> left = new ArrayList<>();
        String files = directory.resolve("*", StandardResolveOptions.RESOLVE_FILE).toString();
        for (MatchResult.Metadata found :
            FileSystems.match(files, EmptyMatchTreatment.ALLOW).metadata()) {
          left.add(found.resourceId());
        }
        FileSystems.delete(left, StandardMoveOptions.IGNORE_MISSING_FILES);
        FileSystems.delete(List.of(directory), StandardMoveOptions.IGNORE_MISSING_FILES);
      } catch (IOException e) {
        // The table is whole, and no reader looks there.
        LOG.warn("The directory {} could not be deleted", directory, e);
      }
    }
  }
}
