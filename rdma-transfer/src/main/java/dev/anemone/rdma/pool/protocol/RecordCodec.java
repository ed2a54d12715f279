package dev.anemone.rdma.pool.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Turns records into bytes and back: component by component, in the order of declaration. A sealed
 * interface is written as the number of the implementation among those that it permits. Components
 * are int, long, String, ByteBuffer, UUID, enums, lists, records and sealed interfaces. Both sides
 * must have the same classes, which the {@linkplain Request#VERSION version} of the protocol is
 * for.
 *
 * <p>Makes no object but what the records say, so bytes from a stranger do no harm. Thread-safe.
 */
final class RecordCodec {

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private RecordCodec() {}

  /** How a record is taken apart and put together. */
  private record Shape(Constructor<?> constructor, List<Method> accessors, List<Type> types) {

    static Shape of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      try {
        Constructor<?> constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        return new Shape(
            constructor,
            Arrays.stream(components).map(RecordComponent::getAccessor).toList(),
            Arrays.stream(components).map(RecordComponent::getGenericType).toList());
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("every record has a canonical constructor", e);
      }
    }
  }

  /** The bytes of a value. */
  static byte[] encode(Class<?> type, Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      write(type, value, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("memory can always be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The value that the bytes from position to limit are of.
   *
   * @throws IOException when they are of no such value
   */
  static <T> T decode(Class<T> type, ByteBuffer bytes) throws IOException {
    try {
      T value = type.cast(read(type, bytes));
      if (bytes.hasRemaining()) {
        throw new IOException(bytes.remaining() + " bytes are left over");
      }
      return value;
    } catch (BufferUnderflowException | IllegalArgumentException | IOException e) {
      throw new IOException("a message of the pool that is no " + type.getSimpleName(), e);
    }
  }

  private static void write(Type type, Object value, DataOutputStream out) throws IOException {
    if (type == int.class) {
      out.writeInt((Integer) value);
    } else if (type == long.class) {
      out.writeLong((Long) value);
    } else if (value instanceof String text) {
      writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      writeBytes(bytes, out);
    } else if (value instanceof UUID id) {
      out.writeLong(id.getMostSignificantBits());
      out.writeLong(id.getLeastSignificantBits());
    } else if (value instanceof Enum<?> constant) {
      out.writeByte(constants(constant.getDeclaringClass()).indexOf(constant));
    } else if (value instanceof List<?> list) {
      out.writeInt(list.size());
      for (Object element : list) {
        write(elementType(type), element, out);
      }
    } else if (type instanceof Class<?> sealed && sealed.isInterface()) {
      out.writeByte(List.of(sealed.getPermittedSubclasses()).indexOf(value.getClass()));
      writeRecord(value, out);
    } else {
      writeRecord(value, out);
    }
  }

  private static void writeRecord(Object value, DataOutputStream out) throws IOException {
    Shape shape = SHAPES.get(value.getClass());
    try {
      for (int i = 0; i < shape.types().size(); i++) {
        write(shape.types().get(i), shape.accessors().get(i).invoke(value), out);
      }
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(value.getClass() + " cannot be read", e);
    }
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static Object read(Type type, ByteBuffer in) throws IOException {
    if (type == int.class) {
      return in.getInt();
    } else if (type == long.class) {
      return in.getLong();
    } else if (type == String.class) {
      return new String(readBytes(in), StandardCharsets.UTF_8);
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.wrap(readBytes(in)).asReadOnlyBuffer();
    } else if (type == UUID.class) {
      return new UUID(in.getLong(), in.getLong());
    } else if (type instanceof ParameterizedType) {
      return readList(elementType(type), in);
    } else if (type instanceof Class<?> some && some.isEnum()) {
      return numbered(constants(some), in.get(), some);
    } else if (type instanceof Class<?> sealed && sealed.isInterface()) {
      return readRecord(numbered(List.of(sealed.getPermittedSubclasses()), in.get(), sealed), in);
    } else {
      return readRecord((Class<?>) type, in);
    }
  }

  private static Object readRecord(Class<?> type, ByteBuffer in) throws IOException {
    Shape shape = SHAPES.get(type);
    Object[] components = new Object[shape.types().size()];
    for (int i = 0; i < components.length; i++) {
      components[i] = read(shape.types().get(i), in);
    }
    try {
      return shape.constructor().newInstance(components);
    } catch (InvocationTargetException e) {
      throw new IOException("a wrong " + type.getSimpleName(), e.getCause());
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static List<Object> readList(Type elementType, ByteBuffer in) throws IOException {
    int size = in.getInt();
    // Every element has a byte at least, so a wrong size cannot make a list that fills the heap.
    if (size < 0 || size > in.remaining()) {
      throw new IOException("a list of " + size + " elements in " + in.remaining() + " bytes");
    }
    List<Object> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(read(elementType, in));
    }
    return List.copyOf(list);
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

  private static List<?> constants(Class<?> enumeration) {
    return List.of(enumeration.getEnumConstants());
  }

  private static Type elementType(Type list) {
    return ((ParameterizedType) list).getActualTypeArguments()[0];
  }
}
