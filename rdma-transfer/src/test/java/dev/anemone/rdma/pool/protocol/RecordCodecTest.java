// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.TierKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RecordCodecTest {

  @Property(tries = 50)
  void whatIsWrittenIsRead(
      @ForAll String path, @ForAll long number, @ForAll @IntRange(max = 50) int pages)
      throws IOException {
    StoredObject object = object(path, number, pages);

    for (Request request :
        List.of(
            new Request.Commit(object, number),
            new Request.Apply(new NameChange.Put(new NameEntry.OfObject(object))),
            new Request.Apply(new NameChange.Put(new NameEntry.OfDirectory(path, List.of()))),
            new Request.AddName(path, List.of(new UUID(number, ~number))),
            new Request.Status())) {
      byte[] bytes = encode(Request.class, request);
      assertThat(RecordCodec.decode(Request.class, ByteBuffer.wrap(bytes))).isEqualTo(request);
    }
    Reply reply = new Reply.Renewed(new FreePages(number, 0, 1), pages, 1, List.of(object.id()));
    assertThat(RecordCodec.decode(Reply.class, ByteBuffer.wrap(encode(Reply.class, reply))))
        .isEqualTo(reply);
  }

  @Property(tries = 300)
  void damagedBytesAreAnIoException(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int damages) {
    byte[] bytes = encode(Request.class, new Request.Commit(object("/some/path", seed, 3), 0));
    Random random = new Random(seed);
    for (int i = 0; i < damages; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    ByteBuffer cut = ByteBuffer.wrap(bytes, 0, 1 + random.nextInt(bytes.length - 1));

    assertThatThrownBy(() -> RecordCodec.decode(Request.class, cut))
        .isInstanceOf(IOException.class);
  }

  private static byte[] encode(Class<?> type, Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      RecordCodec.encode(type, value, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static StoredObject object(String path, long number, int pages) {
    return new StoredObject(
        new ObjectId(new UUID(number, ~number), number),
        path,
        number,
        number + 1,
        number + 2,
        Lifetime.POOL,
        IntStream.range(0, pages)
            .mapToObj(i -> new PageRef(i, number * i, TierKind.PMEM, i + 1, i, 100 + i, ~i))
            .toList());
  }
}
