// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.util.MimeTypes;
import org.apache.beam.sdk.util.SerializableUtils;

/**
 * What a persisted collection consists of. Written when all its files are whole, so that there is
 * no half of one.
 *
 * @param coder of its elements
 * @param names of its files, in its directory
 */
record Manifest(Coder<?> coder, List<String> names) {

  private static final String NAME = "persisted";
  private static final int MAGIC = 0x414E5043;

  static ResourceId file(ResourceId directory) {
    return directory.resolve(NAME, StandardResolveOptions.RESOLVE_FILE);
  }

  List<ResourceId> files(ResourceId directory) {
    return names.stream()
        .map(name -> directory.resolve(name, StandardResolveOptions.RESOLVE_FILE))
        .toList();
  }

  void write(ResourceId directory) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            Channels.newOutputStream(FileSystems.create(file(directory), MimeTypes.BINARY)))) {
      out.writeInt(MAGIC);
      byte[] bytes = SerializableUtils.serializeToByteArray(coder);
      out.writeInt(bytes.length);
      out.write(bytes);
      out.writeInt(names.size());
      for (String name : names) {
        out.writeUTF(name);
      }
    }
  }

  /**
   * Reads it.
   *
   * @throws java.io.FileNotFoundException when there is no collection
   * @throws IOException when it is something else
   */
  static Manifest read(ResourceId directory) throws IOException {
    try (DataInputStream in =
        new DataInputStream(Channels.newInputStream(FileSystems.open(file(directory))))) {
      if (in.readInt() != MAGIC) {
        throw new IOException(file(directory) + " is not of a persisted collection");
      }
      byte[] bytes = in.readNBytes(in.readInt());
      List<String> names = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        names.add(in.readUTF());
      }
      Object coder = SerializableUtils.deserializeFromByteArray(bytes, "a collection's coder");
      return new Manifest((Coder<?>) coder, List.copyOf(names));
    }
  }
}
