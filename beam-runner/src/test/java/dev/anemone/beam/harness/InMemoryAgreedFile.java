// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.harness;

import dev.anemone.runtime.spi.AgreedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** What the attempts of one task agree on, for tests. Used by one thread. */
public final class InMemoryAgreedFile implements AgreedFile {

  private Optional<byte[]> agreed = Optional.empty();

  @Override
  public Optional<InputStream> open() {
    return agreed.map(ByteArrayInputStream::new);
  }

  @Override
  public Draft begin() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    return new Draft() {
      @Override
      public OutputStream out() {
        return bytes;
      }

      @Override
      public void publish() {
        agreed = agreed.or(() -> Optional.of(bytes.toByteArray()));
      }

      @Override
      public void close() {}
    };
  }
}
