// SPDX-License-Identifier: Apache-2.0
/** Jobs as a front end sees them: submitting one, waiting for it, and how it ended. */
package dev.anemone.runtime.engine;
