// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Registration;
import com.esotericsoftware.kryo.kryo5.util.DefaultClassResolver;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the classes of {@code java.util} under the interface that they implement, so that it does
 * not matter which of the JDK's many lists a value holds.
 */
final class InterfaceClassResolver extends DefaultClassResolver {

  private static final List<Class<?>> INTERFACES = List.of(List.class, Set.class, Map.class);

  @Override
  @SuppressWarnings("rawtypes") // the inherited signature
  public Registration getRegistration(Class type) {
    Registration exact = super.getRegistration(type);
    if (exact != null || !type.getName().startsWith("java.util.")) {
      return exact;
    }
    for (Class<?> candidate : INTERFACES) {
      if (candidate.isAssignableFrom(type)) {
        return super.getRegistration(candidate);
      }
    }
    return null;
  }
}
