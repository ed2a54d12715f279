// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;

/** Reads the files of a persisted collection, each in a task of its own where there are so many. */
final class PersistedRead<T> extends PTransform<PBegin, PCollection<T>> {

  private static final long serialVersionUID = 1;

  private final String location;

  PersistedRead(String location) {
    this.location = location;
  }

  @Override
  public PCollection<T> expand(PBegin input) {
    FileSystems.setDefaultPipelineOptions(input.getPipeline().getOptions());
    ResourceId directory = Persist.directory(location);
    Manifest manifest = manifest(directory);
    @SuppressWarnings("unchecked") // It was a collection of T that was persisted.
    Coder<T> coder = (Coder<T>) manifest.coder();
    return input
        .apply(
            "Files",
            Create.of(manifest.files(directory).stream().map(ResourceId::toString).toList())
                .withCoder(StringUtf8Coder.of()))
        .apply("Spread", Reshuffle.viaRandomKey())
        .apply("Records", ParDo.of(new ReadRecordsFn<>(coder)))
        .setCoder(coder);
  }

  private Manifest manifest(ResourceId directory) {
    try {
      return Manifest.read(directory);
    } catch (FileNotFoundException e) {
      throw new InvalidPipelineException(
          location
              + " has no persisted collection. Apply Persist.to in another pipeline, and wait for"
              + " its end.",
          e);
    } catch (IOException e) {
      throw new InvalidPipelineException(
          location + " cannot be read as a persisted collection: " + e.getMessage(), e);
    }
  }
}
