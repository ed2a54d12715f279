// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.WriteFilesResult;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reify;
import org.apache.beam.sdk.transforms.Values;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PDone;
import org.apache.beam.sdk.values.TimestampedValue;

/** Writes a collection's files, then what says that it is whole. */
final class PersistTransform<T> extends PTransform<PCollection<T>, PDone> {

  private static final long serialVersionUID = 1;
  private static final String PREFIX = "part";

  private final String location;

  PersistTransform(String location) {
    this.location = location;
  }

  @Override
  public PDone expand(PCollection<T> input) {
    if (!(input.getWindowingStrategy().getWindowFn() instanceof GlobalWindows)) {
      throw new InvalidPipelineException(
          "The collection "
              + input.getName()
              + " cannot be persisted to "
              + location
              + ", since it is in windows: apply Window.into(new GlobalWindows()) to it first. The"
              + " timestamps of its elements are kept.");
    }
    FileSystems.setDefaultPipelineOptions(input.getPipeline().getOptions());
    ResourceId directory = Persist.directory(location);
    requireNothingThere(directory);
    WriteFilesResult<Void> written =
        input
            .apply("Timestamps", Reify.timestamps())
            .apply(
                "Files",
                FileIO.<TimestampedValue<T>>write()
                    .via(new RecordSink<>(input.getCoder()))
                    .to(directory.toString())
                    .withPrefix(PREFIX));
    PCollectionView<List<String>> files =
        written
            .getPerDestinationOutputFilenames()
            .apply("Names", Values.create())
            .setCoder(StringUtf8Coder.of())
            .apply("All names", View.asList());
    input
        .getPipeline()
        .apply("Location", Create.of(location))
        .apply("Manifest", ParDo.of(new ManifestFn(input.getCoder(), files)).withSideInputs(files));
    return PDone.in(input.getPipeline());
  }

  private void requireNothingThere(ResourceId directory) {
    try {
      boolean there =
          !FileSystems.match(Manifest.file(directory).toString(), EmptyMatchTreatment.ALLOW)
              .metadata()
              .isEmpty();
      if (there) {
        throw new InvalidPipelineException(
            location
                + " has a persisted collection already. Delete it with Persist.delete, or take"
                + " another place.");
      }
    } catch (IOException e) {
      throw new InvalidPipelineException(
          "Nothing can be persisted to " + location + ": " + e.getMessage(), e);
    }
  }

  /** Says that the collection is there. */
  private static final class ManifestFn extends DoFn<String, Void> {
    private static final long serialVersionUID = 1;

    private final Coder<?> coder;
    private final PCollectionView<List<String>> files;

    ManifestFn(Coder<?> coder, PCollectionView<List<String>> files) {
      this.coder = coder;
      this.files = files;
    }

    @ProcessElement
    public void processElement(ProcessContext context) throws IOException {
      List<String> names =
          context.sideInput(files).stream()
              .map(file -> FileSystems.matchNewResource(file, false).getFilename())
              .sorted()
              .toList();
      new Manifest(coder, names).write(Persist.directory(context.element()));
    }
  }
}
