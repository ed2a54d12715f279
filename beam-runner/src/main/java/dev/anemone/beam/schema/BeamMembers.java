// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Members of Beam's schema transforms, which say nothing of themselves to others. */
final class BeamMembers {

  private BeamMembers() {}

  /** What a method without arguments gives, whose class is the object's or above it. */
  static Object call(Object object, String name) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == 0) {
          try {
            method.setAccessible(true);
            return method.invoke(object);
          } catch (ReflectiveOperationException e) {
            throw unknown(object, name, e);
          }
        }
      }
    }
    throw unknown(object, name, null);
  }

  /** The value of a field of the object's own class. */
  static Object field(Object object, String name) {
    try {
      Field field = object.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(object);
    } catch (ReflectiveOperationException e) {
      throw unknown(object, name, e);
    }
  }

  private static IllegalStateException unknown(Object object, String name, Throwable cause) {
    return new IllegalStateException(
        "This version of Beam has another "
            + object.getClass().getName()
            + ", without a member "
            + name
            + "; run with --columnar=off, which does not look for it.",
        cause);
  }
}
