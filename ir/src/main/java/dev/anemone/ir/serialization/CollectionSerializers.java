// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableSerializer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists, sets and maps, whichever class of the JDK they are. They are immutable when read, and
 * iterate as those that were written. Sets and maps whose order is an accident of the JVM are
 * sorted first, so that equal ones give equal bytes.
 */
final class CollectionSerializers {

  private CollectionSerializers() {}

  /** Whether a set or map iterates in an order that may differ in another JVM. */
  private static boolean hasAccidentalOrder(Object setOrMap) {
    Class<?> type = setOrMap.getClass();
    return type.equals(HashSet.class)
        || type.equals(HashMap.class)
        || type.getName().startsWith("java.util.ImmutableCollections");
  }

  private static Collection<?> inFixedOrder(Object setOrMap, Collection<?> elements) {
    if (elements.size() < 2 || !hasAccidentalOrder(setOrMap)) {
      return elements;
    }
    Object[] sorted = elements.toArray();
    try {
      Arrays.sort(sorted);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "elements of a "
              + setOrMap.getClass().getName()
              + " cannot be sorted, so that it has no fixed order; use a LinkedHashSet or a"
              + " LinkedHashMap",
          e);
    }
    return Arrays.asList(sorted);
  }

  private static <C extends Collection<Object>> C readInto(
      C target, int size, Kryo kryo, Input input) {
    for (int i = 0; i < size; i++) {
      target.add(kryo.readClassAndObject(input));
    }
    return target;
  }

  private static void write(Kryo kryo, Output output, Collection<?> elements) {
    output.writeVarInt(elements.size(), true);
    for (Object element : elements) {
      kryo.writeClassAndObject(output, element);
    }
  }

  static final class OfList extends ImmutableSerializer<List<?>> {

    @Override
    public void write(Kryo kryo, Output output, List<?> list) {
      CollectionSerializers.write(kryo, output, list);
    }

    @Override
    public List<?> read(Kryo kryo, Input input, Class<? extends List<?>> type) {
      int size = input.readVarInt(true);
      return Collections.unmodifiableList(readInto(new ArrayList<>(), size, kryo, input));
    }
  }

  static final class OfSet extends ImmutableSerializer<Set<?>> {

    @Override
    public void write(Kryo kryo, Output output, Set<?> set) {
      CollectionSerializers.write(kryo, output, inFixedOrder(set, set));
    }

    @Override
    public Set<?> read(Kryo kryo, Input input, Class<? extends Set<?>> type) {
      int size = input.readVarInt(true);
      return Collections.unmodifiableSet(readInto(new LinkedHashSet<>(), size, kryo, input));
    }
  }

  static final class OfMap extends ImmutableSerializer<Map<?, ?>> {

    @Override
    public void write(Kryo kryo, Output output, Map<?, ?> map) {
      output.writeVarInt(map.size(), true);
      for (Object key : inFixedOrder(map, map.keySet())) {
        kryo.writeClassAndObject(output, key);
        kryo.writeClassAndObject(output, map.get(key));
      }
    }

    @Override
    public Map<?, ?> read(Kryo kryo, Input input, Class<? extends Map<?, ?>> type) {
      int size = input.readVarInt(true);
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        map.put(kryo.readClassAndObject(input), kryo.readClassAndObject(input));
      }
      return Collections.unmodifiableMap(map);
    }
  }
}
