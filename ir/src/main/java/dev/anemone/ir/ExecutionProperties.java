// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.VertexProperty;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The properties of one vertex or edge, by type. Immutable and thread-safe; iterates in the order
 * of the types' names, so that two equal maps print alike.
 *
 * @param <B> {@link VertexProperty} or {@link EdgeProperty}
 */
public final class ExecutionProperties<B extends Property> {

  private static final Comparator<Class<? extends Property>> BY_NAME =
      Comparator.comparing(Class::getName);

  private static final ExecutionProperties<?> EMPTY = copyOf(List.of());

  /**
   * In the order of the types' names, but found by the types, which takes no comparing of names.
   */
  private final Map<Class<? extends Property>, B> values;

  private ExecutionProperties(Map<Class<? extends Property>, B> values) {
    this.values = values;
  }

  @SuppressWarnings("unchecked") // holds no value, so it holds values of any type
  public static <B extends Property> ExecutionProperties<B> empty() {
    return (ExecutionProperties<B>) EMPTY;
  }

  /** Exactly these properties; of two with the same type the later one counts. */
  @SafeVarargs
  public static <B extends Property> ExecutionProperties<B> of(B... properties) {
    SortedMap<Class<? extends Property>, B> sorted = new TreeMap<>(BY_NAME);
    for (B property : properties) {
      sorted.put(property.type(), property);
    }
    return new ExecutionProperties<>(new LinkedHashMap<>(sorted));
  }

  /** Exactly these properties; of two with the same type the later one counts. */
  public static <B extends Property> ExecutionProperties<B> copyOf(
      Collection<? extends B> properties) {
    SortedMap<Class<? extends Property>, B> sorted = new TreeMap<>(BY_NAME);
    for (B property : properties) {
      sorted.put(property.type(), property);
    }
    return new ExecutionProperties<>(new LinkedHashMap<>(sorted));
  }

  /** The value of a property, if it is set. */
  public <P extends B> Optional<P> get(Class<P> type) {
    return Optional.ofNullable(type.cast(values.get(type)));
  }

  /** This with one property set or replaced. */
  public ExecutionProperties<B> with(B property) {
    Map<Class<? extends Property>, B> map = new LinkedHashMap<>(values);
    boolean replaced = map.put(property.type(), property) != null;
    return replaced ? new ExecutionProperties<>(map) : copyOf(map.values());
  }

  /** This with one property not set. */
  public ExecutionProperties<B> without(Class<? extends B> type) {
    Map<Class<? extends Property>, B> map = new LinkedHashMap<>(values);
    map.remove(type);
    return new ExecutionProperties<>(map);
  }

  /** All values, in the order of their types' names. */
  public Collection<B> values() {
    return Collections.unmodifiableCollection(values.values());
  }

  /** All values by type, in the order of the types' names. */
  public Map<Class<? extends Property>, B> asMap() {
    return Collections.unmodifiableMap(values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExecutionProperties<?> that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.values().toString();
  }
}
