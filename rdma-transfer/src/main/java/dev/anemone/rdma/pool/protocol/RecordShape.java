// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How a record is taken apart and put together. Numbers are read from it by handles of their own
 * type, so that none is boxed to be written.
 */
final class RecordShape implements TypeCodec {

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

  private final Class<?> type;
  private final MethodHandle maker;
  private final Component[] components;

  private RecordShape(Class<?> type, MethodHandle maker, Component[] components) {
    this.type = type;
    this.maker = maker;
    this.components = components;
  }

  /** One component of it. */
  private interface Component {

    void write(Object value, DataOutputStream out) throws Throwable;

    Object read(ByteBuffer in) throws IOException;
  }

  private record IntComponent(MethodHandle accessor) implements Component {

    @Override
    public void write(Object value, DataOutputStream out) throws Throwable {
      out.writeInt((int) accessor.invokeExact(value));
    }

    @Override
    public Object read(ByteBuffer in) {
      return in.getInt();
    }
  }

  private record LongComponent(MethodHandle accessor) implements Component {

    @Override
    public void write(Object value, DataOutputStream out) throws Throwable {
      out.writeLong((long) accessor.invokeExact(value));
    }

    @Override
    public Object read(ByteBuffer in) {
      return in.getLong();
    }
  }

  private record ObjectComponent(MethodHandle accessor, TypeCodec codec) implements Component {

    @Override
    public void write(Object value, DataOutputStream out) throws Throwable {
      codec.write(accessor.invokeExact(value), out);
    }

    @Override
    public Object read(ByteBuffer in) throws IOException {
      return codec.read(in);
    }
  }

  /** That of a record's class. */
  static RecordShape of(Class<?> type) {
    RecordComponent[] declared = type.getRecordComponents();
    try {
      MethodHandle constructor =
          LOOKUP.findConstructor(
              type,
              MethodType.methodType(
                  void.class,
                  Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new)));
      List<Component> components = new ArrayList<>();
      for (RecordComponent component : declared) {
        components.add(component(component));
      }
      return new RecordShape(
          type,
          constructor.asSpreader(Object[].class, declared.length).asType(MAKER),
          components.toArray(Component[]::new));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record of this protocol can be read and made", e);
    }
  }

  private static Component component(RecordComponent component) throws IllegalAccessException {
    MethodHandle accessor = LOOKUP.unreflect(component.getAccessor());
    if (component.getType() == int.class) {
      return new IntComponent(accessor.asType(MethodType.methodType(int.class, Object.class)));
    } else if (component.getType() == long.class) {
      return new LongComponent(accessor.asType(MethodType.methodType(long.class, Object.class)));
    }
    return new ObjectComponent(
        accessor.asType(MethodType.genericMethodType(1)), TypeCodec.of(component.getGenericType()));
  }

  @Override
  public void write(Object value, DataOutputStream out) throws IOException {
    try {
      for (Component component : components) {
        component.write(value, out);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(type + " cannot be read", e);
    }
  }

  @Override
  public Object read(ByteBuffer in) throws IOException {
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = components[i].read(in);
    }
    try {
      return maker.invokeExact(values);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("a wrong " + type.getSimpleName(), e);
    }
  }
}
