// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps collections for later pipelines, in a pool of remote memory ({@code pool:///clicks}) or in
 * any other file system of Beam's: their elements as their coder writes them, their timestamps, and
 * the coder. So what several pipelines begin with is computed once, as persisted RDDs are in DMO,
 * and cached collections in Nemo.
 *
 * <pre>{@code
 * parsed.apply(Persist.to("pool:///clicks"));                           // one pipeline
 * PCollection<Click> clicks = pipeline.apply(Persist.read("pool:///clicks")); // later ones
 * }</pre>
 *
 * <p>A collection is there when the pipeline has succeeded that persists it. It stays until it is
 * {@linkplain #delete deleted}, or its time in the pool is over. As the coder is a Java object,
 * pipelines that read it need its class, and read it from whom they trust only.
 */
public final class Persist {

  private static final Logger LOG = LoggerFactory.getLogger(Persist.class);

  private Persist() {}

  /**
   * Keeps a collection, which has to be in the global window.
   *
   * @param location a directory that holds nothing yet, such as {@code pool:///clicks}
   */
  public static <T> PTransform<PCollection<T>, PDone> to(String location) {
    return new PersistTransform<>(location);
  }

  /**
   * A collection that was kept. It has to be there when this is applied, as its coder is.
   *
   * @param location where it was kept
   */
  public static <T> PTransform<PBegin, PCollection<T>> read(String location) {
    return new PersistedRead<>(location);
  }

  /**
   * Deletes a collection that was kept.
   *
   * @param options that say how the file system is reached
   * @throws FileNotFoundException when there is none
   */
  public static void delete(PipelineOptions options, String location) throws IOException {
    FileSystems.setDefaultPipelineOptions(options);
    ResourceId directory = directory(location);
    List<ResourceId> files = new ArrayList<>();
    // First what makes it a collection: what is left of it when this fails can be found by nobody.
    files.add(Manifest.file(directory));
    files.addAll(Manifest.read(directory).files(directory));
    for (ResourceId file : files) {
      FileSystems.delete(List.of(file), StandardMoveOptions.IGNORE_MISSING_FILES);
    }
    try {
      FileSystems.delete(List.of(directory), StandardMoveOptions.IGNORE_MISSING_FILES);
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{} holds something else, too, and stays", directory, e);
    }
  }

  static ResourceId directory(String location) {
    try {
      return FileSystems.matchNewResource(location, true);
    } catch (IllegalArgumentException e) {
      throw new InvalidPipelineException(
          "'" + location + "' is no place for a collection: " + e.getMessage(), e);
    }
  }
}
