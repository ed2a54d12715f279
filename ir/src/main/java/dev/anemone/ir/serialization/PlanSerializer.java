// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.util.MapReferenceResolver;
import com.esotericsoftware.kryo.kryo5.util.Pool;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Values of this module, and records of other modules made of them, as bytes.
 *
 * <p>Records, enums, strings, boxed primitives, {@code Optional} and the lists, sets and maps of
 * {@code java.util} can be written; lists, sets and maps are immutable when read. Equal values give
 * equal bytes when their collections iterate alike. The bytes carry their length and a CRC-32C, so
 * that what was cut off or changed is not taken for a plan. They are for the same version of the
 * project only.
 *
 * <p>Thread-safe: every call takes a {@link Kryo} of its own from a pool.
 */
public final class PlanSerializer {

  /** The first class id that other modules may register; those below are taken. */
  public static final int FIRST_FREE_ID = 1000;

  private static final int MAGIC = 0x414E4952; // "ANIR"
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 4 + 1 + 4 + 4;
  private static final int INITIAL_BYTES = 4096;

  private final Pool<Kryo> pool;

  /** For values of this module. */
  public PlanSerializer() {
    this(kryo -> {});
  }

  /**
   * For values of this module and others.
   *
   * @param registerClasses registers further classes with fixed ids from {@link #FIRST_FREE_ID} on,
   *     the same in every JVM; called once for each pooled {@link Kryo}, from any thread
   */
  public PlanSerializer(Consumer<Kryo> registerClasses) {
    Objects.requireNonNull(registerClasses, "registerClasses");
    this.pool =
        new Pool<>(true, true) {
          @Override
          protected Kryo create() {
            return newKryo(registerClasses);
          }
        };
    pool.free(pool.obtain()); // a wrong registration fails here and not in the middle of a job
  }

  private static Kryo newKryo(Consumer<Kryo> registerClasses) {
    Kryo kryo = new Kryo(new InterfaceClassResolver(), new MapReferenceResolver());
    kryo.setRegistrationRequired(true);
    // Values have no cycles; what often repeats, function specs, has its own dictionary.
    kryo.setReferences(false);
    RegisteredClasses.register(kryo);
    registerClasses.accept(kryo);
    RegisteredClasses.verify(kryo);
    return kryo;
  }

  /**
   * A value as bytes.
   *
   * @throws IllegalArgumentException when a class of it is not registered, or a set or map without
   *     order has elements that cannot be sorted
   */
  public byte[] write(Object value) {
    Objects.requireNonNull(value, "value");
    Kryo kryo = pool.obtain();
    Output output = new Output(INITIAL_BYTES, -1);
    output.setPosition(HEADER_BYTES);
    try {
      kryo.writeClassAndObject(output, value);
    } catch (KryoException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot write a "
              + value.getClass().getName()
              + ": "
              + e.getMessage()
              + "; classes of other modules must be registered with the PlanSerializer",
          e);
    }
    pool.free(kryo);
    byte[] bytes = output.toBytes();
    int length = bytes.length - HEADER_BYTES;
    ByteBuffer.wrap(bytes)
        .putInt(MAGIC)
        .put(VERSION)
        .putInt(length)
        .putInt(checksum(bytes, HEADER_BYTES, length));
    return bytes;
  }

  /**
   * The value that was written.
   *
   * @throws PlanFormatException when the bytes are cut off or changed, or hold another type
   */
  public <T> T read(byte[] bytes, Class<T> type) {
    Objects.requireNonNull(type, "type");
    requireIntact(bytes, type);
    Kryo kryo = pool.obtain();
    Object value;
    boolean all;
    try (Input input = new Input(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES)) {
      value = kryo.readClassAndObject(input);
      all = input.end();
    } catch (RuntimeException e) { // whatever the constructors of foreign values throw
      throw new PlanFormatException(
          "cannot read a "
              + type.getName()
              + ": its bytes are intact, but this JVM reads them differently: "
              + e.getMessage()
              + "; both sides need the same version and the same registered classes",
          e);
    }
    pool.free(kryo);
    if (!all || !type.isInstance(value)) {
      throw new PlanFormatException(
          "expected a "
              + type.getName()
              + ", but the bytes hold a "
              + (value == null ? "null" : value.getClass().getName())
              + (all ? "" : " and more"));
    }
    return type.cast(value);
  }

  private static void requireIntact(byte[] bytes, Class<?> type) {
    String what = "cannot read a " + type.getName() + " from " + bytes.length + " bytes: ";
    if (bytes.length < HEADER_BYTES) {
      throw new PlanFormatException(what + "the header alone has " + HEADER_BYTES);
    }
    ByteBuffer header = ByteBuffer.wrap(bytes);
    if (header.getInt() != MAGIC) {
      throw new PlanFormatException(what + "they do not begin as a plan does");
    }
    byte version = header.get();
    if (version != VERSION) {
      throw new PlanFormatException(
          what + "they have format version " + version + ", and only " + VERSION + " is known");
    }
    int length = header.getInt();
    if (length != bytes.length - HEADER_BYTES) {
      throw new PlanFormatException(
          what
              + "there should be "
              + (HEADER_BYTES + (long) length)
              + "; they were cut off or something was added");
    }
    if (header.getInt() != checksum(bytes, HEADER_BYTES, length)) {
      throw new PlanFormatException(what + "they were changed, the checksum does not match");
    }
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, offset, length);
    return (int) checksum.getValue();
  }
}
