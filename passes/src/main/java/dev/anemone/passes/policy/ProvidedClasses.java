// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Makes instances of the classes that a class loader sees, and says clearly why it cannot. */
final class ProvidedClasses {

  private final ClassLoader loader;

  ProvidedClasses(ClassLoader loader) {
    this.loader = loader;
  }

  /** An instance of each class that is listed as a service, in the order of the class path. */
  <T> List<T> provided(Class<T> service) {
    List<T> provided = new ArrayList<>();
    try {
      ServiceLoader.load(service, loader).forEach(provided::add);
    } catch (ServiceConfigurationError e) {
      throw new IllegalArgumentException(
          "A file META-INF/services/"
              + service.getName()
              + " on the class path lists a class that cannot be used: "
              + e.getMessage()
              + ". Correct that file or take its jar off the class path.",
          e);
    }
    return provided;
  }

  /** An instance of a class by its full name; empty when there is no such class. */
  <T> Optional<T> instance(String className, Class<T> expected) {
    Class<?> found;
    try {
      found = Class.forName(className, true, loader);
    } catch (ClassNotFoundException e) {
      // Not a class name, or not one that we see: the caller goes on with other kinds of names.
      return Optional.empty();
    } catch (LinkageError e) {
      throw new IllegalArgumentException("Class " + className + " cannot be loaded: " + e, e);
    }
    if (!expected.isAssignableFrom(found)) {
      throw new IllegalArgumentException(
          "Class " + className + " does not implement " + expected.getName() + ".");
    }
    try {
      return Optional.of(expected.cast(found.getConstructor().newInstance()));
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new IllegalArgumentException(
          "Class "
              + className
              + " cannot be used: it must be public, not abstract, and have a public constructor"
              + " without parameters.",
          e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "The constructor of class " + className + " failed: " + e.getCause(), e.getCause());
    }
  }
}
