// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.FunctionProvider;
import java.util.List;
import java.util.ServiceLoader;

/** The function providers of a job, by the URNs that they provide. Thread-safe. */
public final class FunctionProviders {

  private final List<FunctionProvider> providers;

  /** Exactly these providers. */
  public FunctionProviders(List<FunctionProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /** All providers that a class loader's services name. */
  public static FunctionProviders load(ClassLoader classLoader) {
    return new FunctionProviders(
        ServiceLoader.load(FunctionProvider.class, classLoader).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /**
   * The provider of a spec.
   *
   * @throws IllegalArgumentException when no provider knows its URN
   */
  public FunctionProvider of(FunctionSpec spec) {
    for (FunctionProvider provider : providers) {
      if (provider.provides(spec.urn())) {
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "nobody provides "
            + spec.urn()
            + "; providers on the class path: "
            + providers.stream().map(p -> p.getClass().getName()).toList());
  }
}
