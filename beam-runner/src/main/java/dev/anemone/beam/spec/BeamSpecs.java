// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import dev.anemone.ir.function.FunctionSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** Turns payloads into {@link FunctionSpec}s and back, with Java serialization. */
public final class BeamSpecs {

  private BeamSpecs() {}

  /**
   * A spec that carries {@code payload}.
   *
   * @throws IllegalArgumentException when the payload cannot be serialized; names the step, the
   *     field that stands in the way, and the remedy
   */
  public static FunctionSpec toFunctionSpec(String urn, Serializable payload) {
    return toFunctionSpec(
        urn,
        payload instanceof StepPayload step
            ? "Step '" + step.stepName() + "'"
            : payload.getClass().getName(),
        payload);
  }

  /**
   * A spec that carries what belongs to a step, but not the step's name.
   *
   * @throws IllegalArgumentException when the payload cannot be serialized; names the step, the
   *     field that stands in the way, and the remedy
   */
  public static FunctionSpec toStepSpec(String urn, String stepName, Serializable payload) {
    return toFunctionSpec(urn, "Step '" + stepName + "'", payload);
  }

  private static FunctionSpec toFunctionSpec(String urn, String owner, Serializable payload) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(payload);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(describe(owner, payload, e), e);
    }
    return FunctionSpec.of(urn, bytes.toByteArray());
  }

  /**
   * The payload of a spec: a new object at each call.
   *
   * @param classLoader loads the user's classes
   * @throws IllegalArgumentException when the bytes are no such payload, or a class is missing
   */
  public static <T> T payload(FunctionSpec spec, Class<T> type, ClassLoader classLoader) {
    try (ObjectInputStream in =
        new LoaderObjectInputStream(new ByteArrayInputStream(spec.payload()), classLoader)) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException | ClassCastException e) {
      throw new IllegalArgumentException(
          "The payload of "
              + spec
              + " cannot be read as "
              + type.getName()
              + ": "
              + e
              + ". The class path of the task must be that of the program that made the job.",
          e);
    }
  }

  private static String describe(String owner, Serializable payload, Exception failure) {
    StringBuilder message = new StringBuilder(owner).append(" cannot be serialized: ");
    Optional<String> path = UnserializableField.find(payload);
    message.append(path.orElseGet(failure::toString));
    message.append(
        ". Everything that a function of the pipeline refers to is sent to the tasks that run it:"
            + " make the class implement java.io.Serializable, or make the field transient and"
            + " create its value in @Setup; a function that is an anonymous or inner class also"
            + " sends the object around it, which a static nested class does not.");
    return message.toString();
  }

  /** Resolves classes with the user's class loader. */
  private static final class LoaderObjectInputStream extends ObjectInputStream {

    private final ClassLoader classLoader;

    LoaderObjectInputStream(InputStream in, ClassLoader classLoader) throws IOException {
      super(in);
      this.classLoader = classLoader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, classLoader);
      } catch (ClassNotFoundException e) {
        // Primitive types, and what only this class's own loader sees.
        return super.resolveClass(description);
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] names)
        throws IOException, ClassNotFoundException {
      Class<?>[] interfaces = new Class<?>[names.length];
      for (int i = 0; i < names.length; i++) {
        interfaces[i] = Class.forName(names[i], false, classLoader);
      }
      return Proxy.newProxyInstance(classLoader, interfaces, (proxy, method, arguments) -> null)
          .getClass();
    }
  }
}
