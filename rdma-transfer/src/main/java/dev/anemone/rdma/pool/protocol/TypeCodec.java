// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** How the values of one type are written and read. Immutable. */
interface TypeCodec {

  /** Writes a value of the type. */
  void write(Object value, DataOutputStream out) throws IOException;

  /**
   * Reads a value.
   *
   * @throws IOException when there is none
   * @throws java.nio.BufferUnderflowException when bytes are missing
   */
  Object read(ByteBuffer in) throws IOException;

  /** That of a class, made once. */
  static TypeCodec of(Class<?> type) {
    return OfClasses.CODECS.get(type);
  }

  /** That of a component's type. */
  static TypeCodec of(Type type) {
    return type instanceof ParameterizedType list
        ? new OfLists(of(list.getActualTypeArguments()[0]))
        : of((Class<?>) type);
  }

  /** Those that are known. */
  final class OfClasses {

    private static final ClassValue<TypeCodec> CODECS =
        new ClassValue<>() {
          @Override
          protected TypeCodec computeValue(Class<?> type) {
            return make(type);
          }
        };

    private OfClasses() {}

    private static TypeCodec make(Class<?> type) {
      if (type == String.class) {
        return new OfStrings();
      } else if (type == ByteBuffer.class) {
        return new OfBuffers();
      } else if (type == UUID.class) {
        return new OfUuids();
      } else if (type.isEnum()) {
        return new OfEnums(type, List.of(type.getEnumConstants()));
      } else if (type.isSealed()) {
        List<Class<?>> permitted = List.of(type.getPermittedSubclasses());
        return new OfSealed(type, permitted, permitted.stream().map(TypeCodec::of).toList());
      } else {
        return RecordShape.of(type);
      }
    }
  }

  /** UTF-8. */
  record OfStrings() implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      writeBytes(((String) value).getBytes(StandardCharsets.UTF_8), out);
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      return new String(readBytes(in), StandardCharsets.UTF_8);
    }
  }

  /** The bytes from position to limit; what is read cannot be written to. */
  record OfBuffers() implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      ByteBuffer buffer = (ByteBuffer) value;
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      writeBytes(bytes, out);
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      return ByteBuffer.wrap(readBytes(in)).asReadOnlyBuffer();
    }
  }

  /** 16 bytes. */
  record OfUuids() implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      UUID id = (UUID) value;
      out.writeLong(id.getMostSignificantBits());
      out.writeLong(id.getLeastSignificantBits());
    }

    @Override
    public Object read(ByteBuffer in) {
      return new UUID(in.getLong(), in.getLong());
    }
  }

  /** A byte: which of the constants. */
  record OfEnums(Class<?> type, List<?> constants) implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      out.writeByte(constants.indexOf(value));
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      return numbered(constants, in.get(), type);
    }
  }

  /** A byte, which of those permitted, and the value as one of that class. */
  record OfSealed(Class<?> type, List<Class<?>> permitted, List<TypeCodec> codecs)
      implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      int number = permitted.indexOf(value.getClass());
      out.writeByte(number);
      codecs.get(number).write(value, out);
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      return numbered(codecs, in.get(), type).read(in);
    }
  }

  /** The number of elements, and these. */
  record OfLists(TypeCodec elements) implements TypeCodec {

    @Override
    public void write(Object value, DataOutputStream out) throws IOException {
      List<?> list = (List<?>) value;
      out.writeInt(list.size());
      for (Object element : list) {
        elements.write(element, out);
      }
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      int size = in.getInt();
      // Every element has a byte at least, so a wrong size cannot make a list that fills the heap.
      if (size < 0 || size > in.remaining()) {
        throw new IOException("a list of " + size + " elements in " + in.remaining() + " bytes");
      }
      List<Object> list = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        list.add(elements.read(in));
      }
      return List.copyOf(list);
    }
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(ByteBuffer in) throws IOException {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IOException(length + " bytes of which " + in.remaining() + " are there");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static <T> T numbered(List<T> values, byte number, Class<?> of) throws IOException {
    if (number < 0 || number >= values.size()) {
      throw new IOException("there is no " + of.getSimpleName() + " of number " + number);
    }
    return values.get(number);
  }
}
