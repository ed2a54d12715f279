// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds which field keeps an object from being serialized, so that an error can name it. Java's own
 * message names only the class.
 */
final class UnserializableField {

  private static final int MAX_DEPTH = 32;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private UnserializableField() {}

  /**
   * The path from {@code root} to the first object that cannot be serialized, and its class; empty
   * when none can be found by looking at fields.
   */
  static Optional<String> find(Object root) {
    return new UnserializableField().search(root, "", 0);
  }

  private Optional<String> search(Object value, String path, int depth) {
    if (value == null || depth > MAX_DEPTH || !seen.add(value) || serializes(value)) {
      return Optional.empty();
    }
    if (!(value instanceof Serializable)) {
      return Optional.of(
          (path.isEmpty() ? "it" : "field " + path)
              + " holds a "
              + value.getClass().getName()
              + ", which is not serializable");
    }
    if (value instanceof Object[] array) {
      return searchAll(Arrays.asList(array), path, depth);
    }
    if (value instanceof Collection<?> collection) {
      return searchAll(collection, path, depth);
    }
    if (value instanceof Map<?, ?> map) {
      Optional<String> inKeys = searchAll(map.keySet(), path, depth);
      return inKeys.isPresent() ? inKeys : searchAll(map.values(), path, depth);
    }
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      if (!Serializable.class.isAssignableFrom(type)) {
        continue;
      }
      for (Field field : type.getDeclaredFields()) {
        Optional<String> found = searchField(field, value, path, depth);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.of(
        (path.isEmpty() ? "it" : "field " + path)
            + " holds a "
            + value.getClass().getName()
            + ", which fails to be written");
  }

  private Optional<String> searchField(Field field, Object owner, String path, int depth) {
    int modifiers = field.getModifiers();
    if (Modifier.isStatic(modifiers)
        || Modifier.isTransient(modifiers)
        || field.getType().isPrimitive()) {
      return Optional.empty();
    }
    try {
      field.setAccessible(true);
      String name = path.isEmpty() ? field.getName() : path + "." + field.getName();
      return search(field.get(owner), name, depth + 1);
    } catch (InaccessibleObjectException | IllegalAccessException e) {
      // Inside a JDK class: the path ends at the field that holds it.
      return Optional.empty();
    }
  }

  private Optional<String> searchAll(Iterable<?> values, String path, int depth) {
    int index = 0;
    for (Object value : values) {
      Optional<String> found = search(value, path + "[" + index + "]", depth + 1);
      if (found.isPresent()) {
        return found;
      }
      index++;
    }
    return Optional.empty();
  }

  private static boolean serializes(Object value) {
    try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
      out.writeObject(value);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
